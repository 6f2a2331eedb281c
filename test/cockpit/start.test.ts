import { existsSync, mkdirSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { SYSTEM_ACTOR } from "../../packages/runtime/src/domain/actor.ts";
import { reached } from "./support/background.ts";
import { desk } from "./support/desk.ts";

const at = desk();
let part: string;
beforeAll(async () => {
  part = join(realpathSync(at.site.workspace), "part");
  mkdirSync(part);
});

const sessions = () => at.site.runtime.services.sessions.list(SYSTEM_ACTOR, {});

test("a chat works in the directory that was chosen, with all that was limited", async () => {
  const page = await at.ada.open("/new");
  await page.getByLabel("What should be done?").fill("What can you do?");
  await page.getByLabel("Workspace").fill(part);
  await page.getByLabel("Most tokens").fill("500000");
  await page.getByText("Advanced budgets").click();
  await page.getByLabel("Lowest health score").fill("40");
  await page.getByLabel("When a budget is reached").selectOption({ label: "End the turn" });
  await page.getByRole("button", { name: "Start" }).click();
  const question = page.getByRole("region", { name: "write_file asks for a decision" });
  await question.getByRole("button", { name: "Approve" }).click();
  await page.getByText("Turn completed").first().waitFor();
  expect(existsSync(join(part, "fairlead-demo.md"))).toBe(true);
  expect(existsSync(join(at.site.workspace, "fairlead-demo.md"))).toBe(false);
  const [row] = (await sessions()).rows;
  expect(row?.state).toMatchObject({
    workspace_source: part,
    metadata: { policy: { health: { max_total_tokens: 500_000, min_score: 40, action: "pause" } } },
  });
});

test("a directory that was used is offered again, with one touch", async () => {
  const page = await at.ada.open("/new");
  await page
    .getByRole("group", { name: "Lately used directories" })
    .getByRole("button", { name: part })
    .click();
  expect(await page.getByLabel("Workspace").inputValue()).toBe(part);
});

test("a directory outside is refused in words, and what was written stays", async () => {
  const before = (await sessions()).rows.length;
  const page = await at.ada.open("/new");
  await page.getByLabel("What should be done?").fill("Look around");
  await page.getByLabel("Workspace").fill("/etc");
  await page.getByRole("button", { name: "Start" }).click();
  await page.getByRole("alert").getByText("outside of the directories").waitFor();
  // At the field, which has the focus; and gone once it is mended.
  const field = page.getByLabel("Workspace");
  expect(await field.getAttribute("aria-invalid")).toBe("true");
  expect(await field.evaluate((element) => element === document.activeElement)).toBe(true);
  await field.fill(part);
  await page.getByRole("alert").waitFor({ state: "detached" });
  expect(await field.getAttribute("aria-invalid")).toBe("false");
  expect(await page.getByLabel("What should be done?").inputValue()).toBe("Look around");
  expect((await sessions()).rows.length).toBe(before);
});

test("Start is in sight on every screen, and Ctrl-Enter is it from any field, when it can be pressed", async () => {
  const page = await at.ada.open("/new");
  const screen = page.viewportSize()!;
  await page.setViewportSize({ width: 1280, height: 800 });
  const start = (await page.getByRole("button", { name: "Start" }).boundingBox())!;
  expect(start.y + start.height).toBeLessThanOrEqual(800);
  await page.getByLabel("Title").fill("By keyboard");
  await page.keyboard.press("Control+Enter");
  await page.getByLabel("What should be done?").fill("Say hi");
  expect(new URL(page.url()).pathname).toBe("/new");
  await page.getByLabel("Title").press("Control+Enter");
  await page.getByRole("heading", { name: "By keyboard" }).waitFor();
  await page.getByText("Turn completed").waitFor();
  await page.setViewportSize(screen);
});

test("a budget that is no number starts nothing", async () => {
  const page = await at.ada.open("/new");
  await page.getByLabel("What should be done?").fill("Look around");
  const start = page.getByRole("button", { name: "Start" });
  for (const [typed, said] of [
    ["a lot", "Write a number"],
    ["-1", "above zero"],
    ["1.5", "whole number"],
  ] as const) {
    await page.getByLabel("Most tokens").fill(typed);
    await page.getByText(said).waitFor();
    expect(await page.getByLabel("Most tokens").getAttribute("aria-invalid")).toBe("true");
    expect(await start.isDisabled()).toBe(true);
  }
  await page.getByLabel("Most tokens").fill("1000");
  expect(await start.isDisabled()).toBe(false);
  expect(at.ada.complaints).toEqual([]);
});

test("background work that owes proof is not done by its own word: it needs review, and is accepted on its page", async () => {
  const page = await at.ada.open("/new");
  await page.getByLabel("What should be done?").fill("Say hello, and nothing else");
  // A chat has nobody who would hold it to that.
  expect(await page.getByLabel(/^Done only once/).count()).toBe(0);
  await page.getByLabel("Kind").selectOption("background");
  await page.getByLabel("What it may do by itself").selectOption("full_access");
  await page.getByLabel("Done only once this command succeeds").fill(" npm test ");
  await page.getByLabel("Done only once it has read or written this file").fill("docs/report.md");
  const sent = page.waitForRequest((request) => request.method() === "POST");
  await page.getByRole("button", { name: "Start" }).click();
  expect((await sent).postDataJSON()).toMatchObject({
    requires: [
      { kind: "command", command: "npm test" },
      { kind: "file", path: "docs/report.md" },
    ],
  });
  await page.waitForURL("**/s/ses_*");
  const session = new URL(page.url()).pathname.slice("/s/".length);
  await reached(at.site, session, "needs_review");

  const inbox = await at.ada.open("/");
  const row = inbox.locator("li", { hasText: "Say hello" });
  await row.getByText("Needs review").waitFor();
  // What is not proven is named, a command as one.
  await row.locator("code", { hasText: "npm test" }).waitFor();
  await row.getByRole("link", { name: /Say hello/ }).click();
  await page.locator(".session-head").getByText("Needs review").waitFor();
  await page.getByRole("button", { name: "Accept" }).click();
  await page.getByRole("button", { name: "It is good" }).click();
  await page.locator(".session-head").getByText("Done").waitFor();
  await reached(at.site, session, "completed");
});
