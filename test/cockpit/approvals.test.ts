import { expect, test } from "vitest";
import { SYSTEM_ACTOR } from "../../packages/runtime/src/domain/actor.ts";
import { desk } from "./support/desk.ts";
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
};

const MANY = 60;
const at = desk(SCRIPT);

test("the history is paged, and filtered by what became of a question", async () => {
  const { questions } = at.site.runtime.services;
  const session = await at.site.session("Much asked");
  for (let i = 0; i < MANY; i++) {
    const asked = { kind: "approval", tool_name: `tool_${i}`, reason: `Reason ${i}` } as const;
    const { request_id } = await questions.ask(session, asked);
    await questions.decide(SYSTEM_ACTOR, request_id, { decision: i % 20 === 0 ? "denied" : "approved" });
  }
  const page = await at.ada.open("/a");
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
  const { questions, turns } = at.site.runtime.services;
  const pending = async (session: string) =>
    until(
      async () => (await questions.list(SYSTEM_ACTOR, { state: "pending", session_id: session })).rows[0],
    );
  const first = await at.site.session("Allowed for good");
  await turns.start(SYSTEM_ACTOR, first, { input: "write-1" });
  const { request_id } = await pending(first);
  await questions.decide(SYSTEM_ACTOR, request_id, {
    decision: "approved",
    scope: { kind: "pattern", pattern: "write_file: *" },
  } as never);
  await at.site.idle(first);
  const second = await at.site.session("Not asked");
  await turns.start(SYSTEM_ACTOR, second, { input: "write-2" });
  await at.site.idle(second);

  const page = await at.ada.open("/a");
  await page.getByRole("button", { name: "Revoke write_file: *" }).click();
  await page.getByText("Nothing is. When you approve").waitFor();
  await page.getByText("Those that no longer count").click();
  await page.getByText("write_file: *", { exact: true }).waitFor();
  const third = await at.site.session("Asked again");
  await turns.start(SYSTEM_ACTOR, third, { input: "write-3" });
  expect((await pending(third)).tool_name).toBe("write_file");
  expect(at.ada.complaints).toEqual([]);
});

test("a row says what was asked, where, and how far the yes reaches", async () => {
  const { questions, turns } = at.site.runtime.services;
  const session = await at.site.session("Write the notes");
  await turns.start(SYSTEM_ACTOR, session, { input: "write-notes" });
  const { request_id } = await until(
    async () => (await questions.list(SYSTEM_ACTOR, { state: "pending", session_id: session })).rows[0],
  );
  const page = await at.ada.open("/");
  const row = page.locator(`[data-key="${request_id}"]`);
  await row.getByText("write-notes.txt").waitFor();
  await row.getByText("Write the notes").waitFor();
  await page.goto(`${at.site.url}/a/${request_id}`);
  await page.getByRole("link", { name: "Write the notes" }).waitFor();
  await page.getByText("Its task: write-notes").waitFor();
  await page.getByLabel("Allow for").selectOption("pattern");
  const means = page.locator(".scope-means");
  await means.getByText("write_file").first().waitFor();
  const days = await page.evaluate(() =>
    [29, 30, 31].map((many) => new Date(Date.now() + many * 86_400_000).toLocaleDateString()),
  );
  const said = await means.innerText();
  expect(days.some((day) => said.includes(day))).toBe(true);
  await page.getByRole("textbox", { name: /What is allowed/ }).fill("write_file: write-notes.txt");
  await page.getByRole("button", { name: "Approve" }).click();
  await page.getByText("Your decision is in the log.").waitFor();
  await at.site.idle(session);
  await page.goto(`${at.site.url}/a`);
  const history = page.locator(".session-item", { hasText: "Write the notes" });
  await history.getByText("write-notes.txt").first().waitFor();
  await history
    .getByText(/by ada, for all sessions of its owner until .*: write_file: write-notes\.txt/)
    .waitFor();
  await page
    .getByText(/what fits this, in all sessions of the same owner and project .* until .*, or revoked/)
    .waitFor();
});

test("a yes with changes shows what was changed, in the history and on its page", async () => {
  const { questions, turns } = at.site.runtime.services;
  const session = await at.site.session("Write it elsewhere");
  await turns.start(SYSTEM_ACTOR, session, { input: "write-here" });
  const { request_id } = await until(
    async () => (await questions.list(SYSTEM_ACTOR, { state: "pending", session_id: session })).rows[0],
  );
  const edited = { path: "write-there.txt", content: "as asked" };
  await questions.decide(SYSTEM_ACTOR, request_id, { decision: "edited", edited });
  await at.site.idle(session);
  const page = await at.ada.open("/a");
  await page.locator(".session-item", { hasText: "write-there.txt" }).click();
  const changes = page.locator(".question");
  await changes.getByText("It runs with these changes:").waitFor();
  await changes.getByText("write-there.txt").waitFor();
  expect(await changes.getByText("as asked", { exact: true }).isVisible()).toBe(false);
});

test("one that no longer counts is found behind any number of those that do", async () => {
  const { questions, grants } = at.site.runtime.services;
  const session = await at.site.session("Much is allowed");
  const allow = async (path: string): Promise<void> => {
    const shown = { tool: "write_file", arguments: { path, content: "x" } };
    const asked = { kind: "approval", tool_name: "write_file", reason: "It writes.", shown } as const;
    const { request_id } = await questions.ask(session, { ...asked, origin: "mode" });
    await questions.decide(SYSTEM_ACTOR, request_id, {
      decision: "approved",
      scope: { kind: "session", pattern: `write_file: ${path}` },
    } as never);
  };
  await allow("taken-back.txt");
  const { rows } = await grants.list(SYSTEM_ACTOR, { state: "active", limit: 100 });
  const old = rows.find(({ pattern }) => pattern.includes("taken-back"))!;
  await grants.revoke(SYSTEM_ACTOR, old.grant_id);
  for (let n = 0; n < MANY; n++) await allow(`kept-${n}.txt`);
  const page = await at.ada.open("/a");
  await page.getByText("Those that no longer count").click();
  const ended = page.getByRole("list", { name: "Allowed once, revoked" });
  await ended.getByText("write_file: taken-back.txt", { exact: true }).waitFor();
  expect(await ended.getByText("kept-").count()).toBe(0);
  expect(await page.getByText("None.", { exact: true }).count()).toBe(0);
});
