import { expect, test } from "vitest";
import { SYSTEM_ACTOR } from "../../packages/runtime/src/domain/actor.ts";
import { desk } from "./support/desk.ts";

const at = desk({
  word_ms: 5,
  rules: [
    { when: "delegate", rounds: [[{ call: "delegate", with: { task: "Say hello." } }], [{ say: "Done." }]] },
    { when: "hang", do: [{ say: "## Half an answer\n\nwith **weight** " }, { hang: true as const }] },
    { do: [{ say: "Hello." }] },
  ],
});

test("who spoke is named, and only who reads it is You", async () => {
  const session = await at.site.session("Two speak");
  await at.site.runtime.services.turns.start(SYSTEM_ACTOR, session, { input: "first" });
  await at.site.idle(session);
  const page = await at.ada.open(`/s/${session}`);
  const first = page.locator(".said", { hasText: "first" });
  await first.getByText(SYSTEM_ACTOR.name, { exact: true }).waitFor();
  await page.getByRole("textbox", { name: /Say something/ }).fill("second");
  await page.keyboard.press("Enter");
  await page.locator(".said", { hasText: "second" }).getByText("You", { exact: true }).waitFor();
  expect(await first.getByText("You", { exact: true }).count()).toBe(0);
  await at.site.idle(session);
  const bob = await at.site.person(at.browser, { name: "bob" });
  const other = await bob.open(`/s/${session}`);
  await other.locator(".said", { hasText: "second" }).getByText("ada", { exact: true }).waitFor();
  expect(await other.getByText("You", { exact: true }).count()).toBe(0);
  await bob.context.close();
});

test("the task of a sub-agent is said by the agent that delegated it", async () => {
  const session = await at.site.session("Delegates");
  await at.site.runtime.services.turns.start(SYSTEM_ACTOR, session, { input: "delegate" });
  await at.site.idle(session);
  const page = await at.ada.open(`/s/${session}`);
  await page.locator(".agent-tree").getByRole("link", { name: "Say hello." }).click();
  await page.locator(".said").getByText("fairlead", { exact: true }).waitFor();
});

test("an answer that is stopped stays as it was read, and says that it was cut off", async () => {
  const session = await at.site.session("Stopped");
  const page = await at.ada.open(`/s/${session}`);
  await at.site.runtime.services.turns.start(SYSTEM_ACTOR, session, { input: "hang" });
  await page.getByRole("heading", { name: "Half an answer" }).waitFor();
  await page.getByRole("button", { name: "Stop" }).click();
  await page.getByText("Cut off here: The call was stopped.").waitFor();
  await page.getByRole("heading", { name: "Half an answer" }).waitFor();
  expect(await page.locator(".answer strong", { hasText: "weight" }).count()).toBe(1);
  expect(await page.getByText("## Half").count()).toBe(0);
});
