import { afterAll, beforeAll, expect, test } from "vitest";
import { SYSTEM_ACTOR } from "../../packages/runtime/src/domain/actor.ts";
import { type OwnBrowser, openBrowser } from "./support/browser.ts";
import { type PageSite, type Person, startPageSite } from "./support/site.ts";
import { until } from "./support/until.ts";

const SCRIPT = {
  rules: [
    {
      when: "write",
      rounds: [
        [{ call: "write_file", with: { path: "{{prompt}}.txt", content: "as asked" } }],
        [{ say: "Done." }],
      ],
    },
    { do: [{ say: "Done." }] },
  ],
} as never;

const MANY = 60;
let own: OwnBrowser;
let site: PageSite;
let ada: Person;
beforeAll(async () => {
  [own, site] = await Promise.all([openBrowser(), startPageSite(SCRIPT)]);
  ada = await site.person(own.browser);
});
afterAll(async () => {
  await own?.close();
  await site?.close();
});

test("the history is paged, and filtered by what became of a question", async () => {
  const { questions } = site.runtime.services;
  const session = await site.session("Much asked");
  for (let i = 0; i < MANY; i++) {
    const asked = { kind: "approval", tool_name: `tool_${i}`, reason: `Reason ${i}` } as const;
    const { request_id } = await questions.ask(session, asked);
    await questions.decide(SYSTEM_ACTOR, request_id, { decision: i % 20 === 0 ? "denied" : "approved" });
  }
  const page = await ada.open("/a");
  const rows = page.locator(".session-item");
  await rows.first().waitFor();
  expect(await rows.count()).toBe(50);
  await page.getByRole("button", { name: "Show older questions" }).click();
  await page.waitForFunction((all) => document.querySelectorAll(".session-item").length === all, MANY);
  expect(await page.getByRole("button", { name: "Show older questions" }).count()).toBe(0);
  await page.getByLabel("Decision").selectOption("denied");
  await page.waitForFunction(() => document.querySelectorAll(".session-item").length === 3);
  await page.getByLabel("Decision").selectOption("expired");
  await page.getByRole("heading", { name: "None of these" }).waitFor();
});

test("a saved pattern is listed, taken back, and asked about again", async () => {
  const { questions, turns } = site.runtime.services;
  const pending = async (session: string) =>
    until(
      async () => (await questions.list(SYSTEM_ACTOR, { state: "pending", session_id: session })).rows[0],
    );
  const first = await site.session("Allowed for good");
  await turns.start(SYSTEM_ACTOR, first, { input: "write-1" });
  const { request_id } = await pending(first);
  await questions.decide(SYSTEM_ACTOR, request_id, {
    decision: "approved",
    scope: { kind: "pattern", pattern: "write_file: *" },
  } as never);
  await site.idle(first);
  const second = await site.session("Not asked");
  await turns.start(SYSTEM_ACTOR, second, { input: "write-2" });
  await site.idle(second);

  const page = await ada.open("/a");
  await page.getByRole("button", { name: "Revoke write_file: *" }).click();
  await page.getByText("Nothing is. When you approve").waitFor();
  await page.getByText("Those that no longer count").click();
  await page.getByText("write_file: *").waitFor();
  const third = await site.session("Asked again");
  await turns.start(SYSTEM_ACTOR, third, { input: "write-3" });
  expect((await pending(third)).tool_name).toBe("write_file");
  expect(ada.complaints).toEqual([]);
});
