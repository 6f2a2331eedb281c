import type { NewEvent } from "@fairlead/contract";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { desk } from "./support/desk.ts";

const at = desk();

const answer = (text: string): NewEvent => ({ type: "agent.output.completed", data: { text, step: 1 } });

async function opened(title: string, events: readonly NewEvent[]): Promise<Page> {
  const session = await at.site.session(title);
  await at.site.append(session, events);
  const page = await at.ada.open(`/s/${session}`);
  await page.getByRole("heading", { level: 1, name: title }).waitFor();
  return page;
}

/** What a person steers by is there, and can be used. */
async function demandControls(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Stop" }).waitFor();
  await page.getByRole("textbox", { name: /Say something/ }).fill("I am here");
  expect(await page.getByRole("button", { name: "Send" }).isEnabled()).toBe(true);
}

/** Each with the signs that make it, without its end. */
const SHAPES: Readonly<Record<string, string>> = {
  quotes: ">".repeat(3_000),
  lists: "- ".repeat(3_000),
  numbers: "1. ".repeat(3_000),
  both: "> - ".repeat(3_000),
  brackets: "[".repeat(20_000),
  emphasis: "_a".repeat(10_000),
  stars: "*a ".repeat(8_000),
};

test("no text of a model takes the page with it, however it is nested", async () => {
  for (const [name, text] of Object.entries(SHAPES)) {
    const page = await opened(name, [answer(`${text} end of ${name}`), answer("And *after* it.")]);
    await page.locator('[data-kind="text"] em', { hasText: "after" }).waitFor();
    await page.getByText(`end of ${name}`).waitFor({ state: "attached" });
    await demandControls(page);
    expect(await page.getByText("could not be shown").count()).toBe(0);
  }
});

test("a text that is too long to be formatted is shown as it is", async () => {
  const session = await at.site.session("Long");
  const part: NewEvent = {
    type: "agent.output.delta",
    data: { text: `${"**word** ".repeat(2_000)}\n`, step: 1, attempt: 1 },
  };
  await at.site.append(session, [part, part, part, part, answer(""), answer("**Last**")]);
  const page = await at.ada.open(`/s/${session}`);
  await page.locator('[data-kind="text"] strong', { hasText: "Last" }).waitFor();
  const plain = page.locator('[data-kind="text"] .plain-text').first();
  await plain.waitFor({ state: "attached" });
  expect(await plain.textContent()).toMatch(/^\*\*word\*\* /);
});

test("odd values in a snapshot, a decision, an end and a record leave the page whole", async () => {
  const crossed = [null, 1, { budget: "constructor", limit: 1, value: 2 }];
  const odd = { subject: "health_policy", outcome: "pause", reason: "Used up", source: "health" };
  const page = await opened("Odd", [
    {
      type: "runtime.health.snapshot",
      data: {
        session_id: "ses_1",
        score: 60,
        flags: ["a", "a"],
        budget_pressure: { constructor: { used: 1, limit: 0 } },
        policy: { health: {}, enforcement: { action: "pause", outcome: "open", crossed } },
      },
    },
    { type: "runtime.policy.decision", data: { ...odd, details: { crossed } } },
    {
      type: "runtime.policy.decision",
      data: { subject: "constructor", outcome: "toString", reason: "r", source: "s" },
    },
    answer("After them."),
  ] as NewEvent[]);
  await page.getByText("After them.").waitFor();
  await page.getByText("A budget is used up").first().waitFor();
  expect(await page.locator("main").innerText()).not.toMatch(/native code|could not be shown/);
});

/** A page of a server that says what ours never would: what is odd takes the place of what was said. */
async function oddPage(session: string, odd: Readonly<Record<string, string>>): Promise<Page> {
  const { page } = await at.site.person(at.browser);
  await page.route(/\/sessions\/[^/]+(\/events)?(\?|$)/, async (route) => {
    const answered = await route.fetch();
    let body = await answered.text();
    for (const [said, instead] of Object.entries(odd)) body = body.replaceAll(said, instead);
    await route.fulfill({ response: answered, body });
  });
  await page.goto(`${at.site.url}/s/${session}`);
  return page;
}

test("what cannot be shown says so where it stands, is raw in the debug tier, and all around it stays", async () => {
  const session = await at.site.session("Broken");
  await at.site.append(session, [
    { type: "runtime.request.started", data: { turn_id: "trn_1", input: "Go" } },
    answer("Before it."),
    answer("odd words"),
    { type: "runtime.turn.ended", data: { turn_id: "trn_1", status: "cancelled", reason: "odd end" } },
  ]);
  const { request_id } = await at.site.runtime.services.questions.ask(session, {
    kind: "approval",
    tool_name: "shell",
    reason: "May I?",
    shown: { arguments: { command: "ls" }, diff: "odd diff", details: { odd: true } },
    origin: "mode",
  });
  const page = await oddPage(session, {
    '"odd words"': "7",
    '"flags":': '"flags":7,"flags_before":',
    '"cancelled"': '"constructor"',
  });
  await page.getByText("This row could not be shown.").waitFor();
  await page.getByText("This part of the head could not be shown.").waitFor();
  await page.getByText("This panel could not be shown.").waitFor();
  await page.getByText("Before it.").waitFor();
  await page.getByText("Turn constructor").waitFor();
  const row = page.locator(".timeline-row", { hasText: "This row could not be shown." });
  expect(await row.locator("pre").count()).toBe(0);
  await page.getByRole("button", { name: /^Debug/ }).click();
  await row.locator("pre", { hasText: '"text": 7' }).waitFor();
  await demandControls(page);
  const question = page.locator(`[data-request="${request_id}"]`);
  expect(await question.getByRole("button", { name: "Approve" }).isEnabled()).toBe(true);
  expect(await question.getByRole("button", { name: "Deny" }).isEnabled()).toBe(true);
  await page.context().close();
});

test("where a link leads is not turned around, and is said whenever its text is not the address", async () => {
  const page = await opened("Turned", [
    answer(
      [
        "[\u202egro.elpmaxe\u202c](https://one.example/)",
        "<https://bank.example@two.example/>",
        "<https://three.example/whole>",
        "[https://four.example/](https://evil.example/)",
        '[five](https://five.example/ "a\u202etitle")',
        "&#x202e;turned and [six \u2067](https://six.example/)",
        "https://s\u0435ven.example/",
      ].join("\n\n"),
    ),
  ]);
  const prose = page.locator('[data-kind="text"] .prose');
  const links = prose.getByRole("link");
  await links.first().waitFor();
  expect(await links.allInnerTexts()).toEqual([
    "\\u202egro.elpmaxe\\u202c (one.example)",
    "https://bank.example@two.example/ (two.example)",
    "https://three.example/whole",
    "https://four.example/ (evil.example)",
    "five (five.example)",
    "six \\u2067 (six.example)",
    expect.stringMatching(/ \(xn--sven-.*\.example\)$/),
  ]);
  expect(await prose.innerHTML()).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/);
  await prose.getByText("\\u202eturned and").waitFor();
  const looks = await prose
    .locator("a, .link-host")
    .evaluateAll((found) => found.map((element) => getComputedStyle(element).unicodeBidi));
  expect(new Set(looks)).toEqual(new Set(["isolate"]));
});

test("a long line of a terminal opens at once", async () => {
  const of = { tool_call_id: "c1", tool_name: "shell" };
  const page = await opened("Terminal", [
    { type: "agent.tool.start", data: { name: "shell", tool_call_id: "c1", arguments: { command: "x" } } },
    { type: "agent.tool.result", data: { ...of, result: `\u001b[31m${"x".repeat(30_000)}\u202e` } },
    { type: "agent.tool.outcome", data: { ...of, outcome_type: "x", status: "ok", elapsed_ms: 3 } },
  ]);
  await page.locator(".tool .fold-head").click();
  const output = page.locator(".tool-inside pre").last();
  await output.getByText("\\u202e").waitFor();
  expect(await output.locator(".ansi-red").count()).toBe(1);
});

test("only what makes markup safe may make markup", async () => {
  const { headers } = await fetch(`${at.site.url}/`);
  const policy = headers.get("content-security-policy")?.split("; ") ?? [];
  expect(policy).toContain("require-trusted-types-for 'script'");
  expect(policy).toContain("trusted-types dompurify");
});
