import type { NewEvent, SessionId } from "@fairlead/contract";
import { expect, test } from "vitest";
import { SYSTEM_ACTOR } from "../../packages/runtime/src/domain/actor.ts";
import { desk } from "./support/desk.ts";

/** Each would set `window.harmed`, if anything of it were run or loaded. */
const HARMS = [
  "<script>window.harmed='script'</script>",
  "<img src=x onerror=\"window.harmed='img'\">",
  "<svg><animate onbegin=window.harmed='svg' attributeName=x dur=1s>",
  "<iframe srcdoc=\"<script>parent.harmed='frame'</script>\"></iframe>",
  "[link](javascript:window.harmed='link')",
  "[data](data:text/html,<script>window.harmed='data'</script>)",
  "![image](https://evil.example/pixel.png)",
  "<a href=\"javascript:window.harmed='a'\">press</a>",
  "<style>*{background:url(https://evil.example/css)}</style>",
  "<base href=https://evil.example/><form action=https://evil.example/><button>press</button></form>",
  "```html\n<script>window.harmed='code'</script>\n```",
  "\u001b]8;;javascript:window.harmed='osc'\u0007press\u001b]8;;\u0007 \u001b[31mred\u001b[0m \u001b[2J\u001b]0;title\u0007",
  "<math><mtext></p><img src=x onerror=window.harmed='math'>",
];
const ALL = HARMS.join("\n\n");

const at = desk();

const call = (id: string, name: string, args: object): NewEvent => ({
  type: "agent.tool.start",
  data: { name, arguments: { ...args, _tool_call_id: id }, tool_call_id: id },
});

function outcome(id: string, name: string, result: unknown): NewEvent[] {
  return [
    { type: "agent.tool.result", data: { tool_call_id: id, tool_name: name, result } },
    {
      type: "agent.tool.outcome",
      data: { tool_call_id: id, tool_name: name, outcome_type: "x", status: "ok", elapsed_ms: 1, result },
    },
  ];
}

async function hostileSession(): Promise<SessionId> {
  const session = await at.site.session(ALL.slice(0, 400));
  await at.site.append(session, [
    { type: "runtime.request.started", data: { turn_id: "trn_1", input: ALL } },
    { type: "agent.thinking.delta", data: { text: ALL } },
    { type: "agent.output.delta", data: { text: ALL, step: 1 } },
    { type: "agent.output.completed", data: { text: ALL, step: 1 } },
    { type: "agent.reflection", data: { text: ALL } },
    call("c1", "shell", { command: ALL }),
    ...outcome("c1", "shell", ALL),
    call("c2", "write_file", { path: "<img src=x onerror=window.harmed='file'>.md", content: ALL }),
    ...outcome("c2", "write_file", { html: ALL }),
    call("c3", "update_tasks", { tasks: [{ id: "1", title: ALL, status: "pending" }] }),
    ...outcome("c3", "update_tasks", "ok"),
    {
      type: "runtime.retrieval.completed",
      data: { query: ALL, citations: [{ title: ALL, url: HARMS[4], text: ALL }] },
    },
    { type: "runtime.cognition.summary", data: { summary: ALL, guardrails: [{ name: ALL }] } },
    { type: "agent.context.warning", data: { message: ALL } },
    { type: "agent.step.progress", data: { step_id: ALL, status: ALL, title: ALL } },
    { type: "runtime.request.failed", data: { turn_id: "trn_1", error: ALL, code: "x" } },
    { type: "runtime.turn.ended", data: { turn_id: "trn_1", status: "failed", reason: ALL } },
  ]);
  return session;
}

test("text of models, tools, files, tasks, titles, links and terminals executes nothing, anywhere", async () => {
  const session = await hostileSession();
  const { request_id } = await at.site.runtime.services.questions.ask(session, {
    kind: "approval",
    tool_name: "shell",
    reason: ALL,
    shown: {
      tool: "shell",
      arguments: { command: ALL },
      diff: `--- a/${HARMS[1]}\n+++ b/${HARMS[1]}\n@@ -1 +1 @@\n-${HARMS[0]}\n+${HARMS[1]}`,
    },
    origin: "mode",
    pattern: "shell: <img src=x onerror=window.harmed='pattern'>",
  });
  const { page } = at.ada;
  for (const path of ["/", "/s", `/s/${session}`, `/a/${request_id}`, "/a"]) {
    await page.goto(`${at.site.url}${path}`);
    await page.getByRole("navigation", { name: "Main" }).waitFor();
    await page.locator("main").getByText("window.harmed").first().waitFor();
    if (path === `/s/${session}`) {
      await page.getByRole("button", { name: /Debug/ }).click();
      const timeline = page.getByRole("region", { name: "Timeline" });
      await page.locator("[data-kind]").first().waitFor();
      for (let round = 0; round < 40; round++) {
        const done = await timeline.evaluate((element) => {
          for (const details of document.querySelectorAll("details")) details.open = true;
          element.scrollBy(0, 500);
          return element.scrollTop + element.clientHeight >= element.scrollHeight - 2;
        });
        if (done) break;
      }
      for (const link of await page.getByRole("link", { name: /press|link/ }).all())
        await link.click({ timeout: 500, trial: true }).catch(() => {});
    }
    expect(await page.evaluate(() => (globalThis as { harmed?: string }).harmed)).toBeUndefined();
    expect(
      await page.locator("main iframe, main script, main object, main form[action], main style").count(),
    ).toBe(0);
    expect(await page.locator('main a[href^="javascript:"], main a[href^="data:"]').count()).toBe(0);
    expect(await page.locator("main img").count()).toBe(0);
  }
  expect(at.ada.complaints).toEqual([]);
});

test("a link says where it leads, opens apart and tells nothing of where it was", async () => {
  const session = await at.site.session("Links");
  await at.site.append(session, [
    {
      type: "agent.output.completed",
      data: { text: "See [the **docs**](https://example.org/a) and <https://example.net/b>.", step: 1 },
    },
  ]);
  const page = await at.ada.open(`/s/${session}`);
  const link = page.getByRole("link", { name: /the docs/ });
  await link.waitFor();
  expect(await link.innerText()).toBe("the docs (example.org)");
  expect(await link.getAttribute("rel")).toBe("noopener noreferrer nofollow");
  expect(await link.getAttribute("target")).toBe("_blank");
});

test("what a terminal would obey is dropped; its colours are looks", async () => {
  const session = await at.site.session("Terminal");
  await at.site.append(session, [
    call("t1", "shell", { command: "x" }),
    ...outcome(
      "t1",
      "shell",
      "\u001b[31mred\u001b[0m plain\u001b]0;stolen\u0007 50%\r100%\u001b[2J\n\u001b[1mbold\u001b[0m",
    ),
  ]);
  const page = await at.ada.open(`/s/${session}`);
  await page.locator(".tool .fold-head").click();
  const output = page.locator(".tool-inside pre").last();
  await output.waitFor();
  expect(await output.innerText()).toBe("red plain100%\nbold");
  expect(await output.locator(".ansi-red").innerText()).toBe("red");
});

test("names of people and of models cannot be markup", async () => {
  const made = await at.site.runtime.services.sessions.create(
    { ...SYSTEM_ACTOR, name: "<b>eve</b>" },
    { title: "<img src=x onerror=window.harmed='title'>", alias: "hostile-alias" },
  );
  const page = await at.ada.open("/s");
  await page.getByText("<img src=x onerror=window.harmed='title'>").waitFor();
  await page.getByText(/<b>eve<\/b>/).waitFor();
  expect(made.session_id).toMatch(/^ses_/);
  expect(await page.evaluate(() => (globalThis as { harmed?: string }).harmed)).toBeUndefined();
});

test("what a person approves hides nothing: turned and unseen characters are escapes, also where it is edited", async () => {
  const session = await at.site.session("in\u200bvoice\u202efdp.exe");
  const shown = {
    arguments: { path: "in\u202efdp.exe", content: "a\u200bb\n".repeat(20), "ke\u2066y": 1 },
    diff: "--- a/x\u202ey\n+++ b/x\u202ey\n@@ -1 +1 @@\n-old\n+if (admin\u2067) {",
  };
  const { request_id } = await at.site.runtime.services.questions.ask(session, {
    kind: "approval",
    tool_name: "write\u200b_file",
    reason: "May\u202e I?",
    shown,
  });
  const page = await at.ada.open(`/a/${request_id}`);
  const main = page.locator("main");
  await page.getByText("All arguments").click();
  for (const escape of [
    "admin\\u2067) {",
    "x\\u202ey",
    "in\\u202efdp.exe",
    "a\\u200bb",
    "ke\\u2066y",
    "May\\u202e I?",
  ])
    await main.getByText(escape).first().waitFor();
  const hidden = /[\u200b-\u200f\u202a-\u202e\u2066-\u2069]/;
  expect(await main.innerText()).not.toMatch(hidden);
  await page.getByRole("button", { name: "Edit" }).click();
  const written = await page.getByRole("textbox", { name: /Arguments, as JSON/ }).inputValue();
  expect(written).not.toMatch(hidden);
  expect(JSON.parse(written)).toEqual(shown.arguments);

  await page.goto(`${at.site.url}/s/${session}`);
  await page.getByRole("heading", { level: 1, name: "in\\u200bvoice\\u202efdp.exe" }).waitFor();
  expect(await page.title()).not.toMatch(hidden);
});
