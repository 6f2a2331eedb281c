import { expect, test } from "vitest";
import { SYSTEM_ACTOR } from "../../packages/runtime/src/domain/actor.ts";
import { desk } from "./support/desk.ts";
import { until } from "./support/until.ts";

const CONTENT = `${"a line of a very long file\n".repeat(4_000)}the last line\n`;

const at = desk({
  rules: [
    {
      rounds: [
        [{ call: "write_file", with: { path: "long.md", content: CONTENT } }],
        [{ say: "It is written." }],
      ],
    },
  ],
});

async function asked(title: string): Promise<{ session: string; request: string }> {
  const session = await at.site.session(title);
  await at.site.runtime.services.turns.start(SYSTEM_ACTOR, session, { input: "go" });
  const request = await until(async () => {
    const { rows } = await at.site.runtime.services.questions.list(SYSTEM_ACTOR, {
      state: "pending",
      session_id: session,
    });
    return rows[0]?.request_id;
  });
  return { session, request };
}

test("what is too large for the log and cannot be fetched is said, and not to be decided until it is there", async () => {
  const { session, request } = await asked("Large");
  const { page } = at.ada;
  await page.route(`**/approvals/${request}`, (route) => route.abort());
  await at.ada.open(`/s/${session}`);
  const card = page.getByRole("region", { name: /asks for a decision/ });
  await card.getByText("could not be fetched").waitFor();
  expect(await card.getByText("Fetching all").count()).toBe(0);
  expect(await card.getByRole("button", { name: /Approve|Deny|Edit/ }).count()).toBe(0);
  await page.keyboard.press("a");

  await page.unroute(`**/approvals/${request}`);
  await card.getByRole("button", { name: "Try again" }).click();
  await card.getByRole("button", { name: "Approve" }).waitFor();
  await card.getByText("idempotent: done twice").waitFor();
  await card.getByText("All arguments").click();
  await card.locator("pre", { hasText: "the last line" }).waitFor();
  await card.getByRole("button", { name: "Approve" }).click();
  await page.getByText("It is written.").first().waitFor();
});

test("the page of one question says when it cannot be had, and has it when it is asked for again", async () => {
  const { request } = await asked("Alone");
  const { page } = at.ada;
  const only = (url: URL): boolean => url.pathname === `/approvals/${request}`;
  await page.route(only, (route) => route.abort());
  await at.ada.open(`/a/${request}`);
  await page.getByText("The server does not answer.").waitFor();
  expect(await page.getByRole("button", { name: "Approve" }).count()).toBe(0);
  await page.unroute(only);
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByRole("button", { name: "Approve" }).waitFor();
  await page.getByText("asked by").waitFor();
});
