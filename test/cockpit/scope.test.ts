import { expect, test } from "vitest";
import { SYSTEM_ACTOR } from "../../packages/runtime/src/domain/actor.ts";
import { desk } from "./support/desk.ts";
import { until } from "./support/until.ts";

const shell = (command: string) => [[{ call: "shell", with: { command } }], [{ say: "Done." }]];
const at = desk({
  rules: [
    { when: "compound", rounds: shell("echo one && echo two") },
    { when: "plain", rounds: shell("npm run build") },
  ],
});

async function asked(input: string): Promise<string> {
  const session = await at.site.session(input);
  await at.site.runtime.services.turns.start(SYSTEM_ACTOR, session, { input });
  return until(async () => {
    const { rows } = await at.site.runtime.services.questions.list(SYSTEM_ACTOR, { state: "pending" });
    return rows.find(({ session_id }) => session_id === session)?.request_id;
  });
}

test("where no pattern fits, a yes is for this call only, and that is said", async () => {
  const id = await asked("compound");
  const page = await at.ada.open(`/a/${id}`);
  await page.getByText("No pattern fits this call: a yes is for this call only.").waitFor();
  expect(await page.getByLabel("Allow for").count()).toBe(0);
  await page.getByRole("button", { name: "Approve" }).click();
  await page.getByText("Your decision is in the log.").waitFor();
  const { rows } = await at.site.runtime.services.grants.list(SYSTEM_ACTOR, {});
  expect(rows).toEqual([]);
});

test("how wide a pattern is, is said before it is sent; the suggested one is not", async () => {
  const id = await asked("plain");
  const page = await at.ada.open(`/a/${id}`);
  await page.getByLabel("Allow for").selectOption("pattern");
  const field = page.getByRole("textbox", { name: /What is allowed/ });
  expect(await field.inputValue()).toBe("shell: npm run build");
  expect(await page.getByText("Wide.").count()).toBe(0);
  await field.fill("shell: npm *");
  await page.getByText("It allows every call that begins so, whatever follows.").waitFor();
  for (const all of ["shell: *", "shell", "shell:"]) {
    await field.fill(all);
    await page.getByText("It allows all that shell can do").waitFor();
  }
  await field.fill("shell: npm run build");
  await page.getByText("Wide.").waitFor({ state: "detached" });
});
