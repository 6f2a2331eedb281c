import type { NewEvent } from "@fairlead/contract";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { SYSTEM_ACTOR } from "../../packages/runtime/src/domain/actor.ts";
import { background } from "./support/background.ts";
import { desk } from "./support/desk.ts";
import { everything, faring } from "./support/everything.ts";

const at = desk({
  rules: [{ when: "fail", do: [{ fail: "The key is wrong.", status: 400 }] }, { do: [{ say: "Done." }] }],
});

const said = (count: number): NewEvent[] =>
  Array.from({ length: count }, (_, index) => ({
    type: "agent.output.completed",
    data: { text: `Line ${index + 1}.`, step: index + 2, attempt: 1 },
  }));

const timeline = (page: Page) => page.getByRole("region", { name: "Timeline" });
const to = (page: Page, top: number) => timeline(page).evaluate((box, y) => box.scrollTo(0, y), top);

async function openAll(page: Page, inside: string): Promise<number> {
  const closed = page.locator(`${inside} .fold-head[aria-expanded="false"]`);
  let opened = 0;
  while ((await closed.count()) > 0) {
    await closed.first().focus();
    await page.keyboard.press("Enter");
    opened += 1;
  }
  return opened;
}

test("in the default tier everything that opens is in words; the debug tier has it raw, to copy", async () => {
  const session = await at.site.session("Everything");
  await at.site.append(session, everything(session));
  const page = await at.ada.open(`/s/${session}`);
  await page.getByText("Looking back:").waitFor();
  await page.locator(".session-head").getByText("Health").waitFor();
  await at.site.append(session, [faring(session)]);
  expect(await openAll(page, ".timeline")).toBeGreaterThanOrEqual(5);
  await openAll(page, ".panels");
  for (const words of [
    "1 passage of 1 file, about 1,234 tokens.",
    "lines 3–18",
    "1 call was denied.",
    "3 steps of at most 50",
    "The command npm test succeeds",
    "Read the notes",
    "The session was paused: 3 tool calls failed.",
    "Blocked: an action",
  ])
    await page.locator(".session").getByText(words).first().waitFor();
  for (const part of [".timeline", ".panels"])
    expect(await page.locator(part).innerText()).not.toMatch(/[{}]|"\w+":|denied_calls|context_pack/);

  await page.getByRole("button", { name: /^Debug/ }).click();
  const raw = page.locator(".panels figure", { hasText: "Context pack" });
  await raw.getByText('"indexed_files": 312').waitFor();
  await raw.getByRole("button", { name: "Copy" }).waitFor();
  const cognition = page.locator('[data-kind="cognition"]');
  await cognition.getByRole("button", { name: /^raw: seq/ }).click();
  await cognition.getByText('"denied_calls"').first().waitFor();
  await page.getByRole("button", { name: /^Debug/ }).click();
  await page.locator(".panels figure", { hasText: "Context pack" }).waitFor({ state: "detached" });
});

test("what somebody opened is open again after it was scrolled away, and what they closed is closed", async () => {
  const session = await at.site.session("Scrolled");
  await at.site.append(session, [...everything(session), ...said(80)]);
  const page = await at.ada.open(`/s/${session}`);
  await page.getByText("Line 80.").waitFor();
  const head = (kind: string) => page.locator(`[data-kind="${kind}"] .fold-head`).first();
  const kinds = ["thinking", "retrieval", "cognition", "tool"];
  await to(page, 0);
  for (const kind of kinds) {
    await head(kind).click();
    expect([kind, await head(kind).getAttribute("aria-expanded")]).toEqual([kind, "true"]);
  }
  await head("retrieval").click();
  await timeline(page).focus();
  await to(page, 1e9);
  await page.locator('[data-kind="thinking"]').waitFor({ state: "detached" });
  await to(page, 0);
  await page.locator('[data-kind="tool"]').first().waitFor();
  const now = await Promise.all(kinds.map((kind) => head(kind).getAttribute("aria-expanded")));
  expect(now).toEqual(["true", "false", "true", "true"]);
});

test("who reads or has the focus in a row stays there while rows above it grow", async () => {
  const session = await at.site.session("Grows");
  await at.site.append(session, [...everything(session), ...said(80)]);
  const page = await at.ada.open(`/s/${session}`);
  await page.getByText("Line 80.").waitFor();
  await to(page, 0);
  await page.locator('[data-kind="cognition"] .fold-head').focus();
  const [before] = await placeOfFocus(page);
  // Above it, and without the focus.
  await page
    .locator('[data-kind="thinking"] .fold-head')
    .evaluate((button) => (button as HTMLElement).click());
  await page.locator('[data-kind="thinking"] .fold-body').waitFor();
  await at.site.append(session, said(3));
  // Rows are measured a moment after they have grown.
  await expect.poll(async () => (await placeOfFocus(page))[0]).toBeGreaterThan(before);
  expect((await placeOfFocus(page))[1]).toContain("Guardrails");
  await page.keyboard.press("Enter");
  await page.locator('[data-kind="cognition"]').getByText("1 call was denied.").last().waitFor();
});

test("a row above what is seen that grows moves nothing of what is read", async () => {
  const session = await at.site.session("Grows out of sight");
  const call: NewEvent = {
    type: "agent.tool.start",
    data: { name: "shell", tool_call_id: "c9", arguments: { command: "make", _tool_call_id: "c9" } },
  };
  const thought: NewEvent = { type: "agent.thinking.delta", data: { text: "Next I look." } };
  await at.site.append(session, [...said(20), call, thought, ...said(80)]);
  const page = await at.ada.open(`/s/${session}`);
  await page.getByText("Line 80.").last().waitFor();
  await to(page, 0);
  const thinking = page.locator('[data-kind="thinking"] .fold-head');
  await thinking.waitFor();
  // The tool's row is just out of sight, and still in the page.
  await thinking.evaluate((button) => {
    const box = document.querySelector(".timeline")!;
    const row = button.closest(".timeline-row")!;
    box.scrollTo(0, box.scrollTop + row.getBoundingClientRect().top - box.getBoundingClientRect().top + 2);
  });
  await thinking.evaluate((button) => (button as HTMLElement).focus({ preventScroll: true }));
  const [before] = await placeOfFocus(page);
  const error = "It did not work.\n".repeat(3);
  await at.site.append(session, [
    {
      type: "agent.tool.outcome",
      data: {
        tool_call_id: "c9",
        tool_name: "shell",
        outcome_type: "x",
        status: "error",
        elapsed_ms: 1,
        error,
      },
    },
  ]);
  await page.locator(".tool-error").waitFor({ state: "attached" });
  await page.evaluate(() => new Promise(requestAnimationFrame));
  const [after, label] = await placeOfFocus(page);
  expect(label).toContain("Thought");
  expect(Math.abs(after - before)).toBeLessThan(2);
});

async function placeOfFocus(page: Page): Promise<readonly [top: number, label: string]> {
  return page.evaluate(() => {
    const focused = document.activeElement!;
    return [focused.getBoundingClientRect().top, focused.textContent ?? ""] as const;
  });
}

test("one failure is one row, with the cause and what to do, in a chat and in background work", async () => {
  const chat = await at.site.session("Fails");
  await at.site.runtime.services.turns.start(SYSTEM_ACTOR, chat, { input: "fail" });
  await at.site.idle(chat);
  const work = await background(at.site, { task: "fail", title: "Work that fails", until: "failed" });
  for (const session of [chat, work]) {
    const page = await at.ada.open(`/s/${session}`);
    const row = page.locator(".timeline-row", { hasText: "The model provider refused the request." });
    await row.getByText("The key is wrong.").waitFor();
    await row.getByText(/branch from here with another model/).waitFor();
    const telling = page.locator(".timeline-row").filter({ hasText: /fail|refused|wrong/i });
    // What was said, and the one row.
    const texts = await telling.allInnerTexts();
    expect(texts.filter((text) => /refused|wrong|failed/.test(text))).toHaveLength(1);
  }
});
