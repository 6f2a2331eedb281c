import { existsSync, mkdirSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { SYSTEM_ACTOR } from "../../packages/runtime/src/domain/actor.ts";
import { type OwnBrowser, openBrowser } from "./support/browser.ts";
import { type PageSite, type Person, startPageSite } from "./support/site.ts";

let own: OwnBrowser;
let site: PageSite;
let ada: Person;
let part: string;
beforeAll(async () => {
  [own, site] = await Promise.all([openBrowser(), startPageSite()]);
  part = join(realpathSync(site.workspace), "part");
  mkdirSync(part);
  ada = await site.person(own.browser);
});
afterAll(async () => {
  await own?.close();
  await site?.close();
});

const sessions = () => site.runtime.services.sessions.list(SYSTEM_ACTOR, {});

test("a chat works in the directory that was chosen, with all that was limited", async () => {
  const page = await ada.open("/new");
  await page.getByLabel("What should be done?").fill("What can you do?");
  await page.getByLabel("Workspace").fill(part);
  await page.getByLabel("Most tokens").fill("500000");
  await page.getByText("Advanced budgets").click();
  await page.getByLabel("Lowest health score").fill("40");
  await page.getByLabel("When a budget is reached").selectOption({ label: "End the turn" });
  await page.getByRole("button", { name: "Start" }).click();
  const question = page.getByRole("region", { name: "write_file asks for a decision" });
  await question.getByRole("button", { name: "Approve" }).click();
  await page.getByText("Turn completed").waitFor();
  expect(existsSync(join(part, "fairlead-demo.md"))).toBe(true);
  expect(existsSync(join(site.workspace, "fairlead-demo.md"))).toBe(false);
  const [row] = (await sessions()).rows;
  expect(row?.state).toMatchObject({
    workspace_source: part,
    metadata: { policy: { health: { max_total_tokens: 500_000, min_score: 40, action: "pause" } } },
  });
});

test("a directory that was used is offered again, with one touch", async () => {
  const page = await ada.open("/new");
  await page
    .getByRole("group", { name: "Lately used directories" })
    .getByRole("button", { name: part })
    .click();
  expect(await page.getByLabel("Workspace").inputValue()).toBe(part);
});

test("a directory outside is refused in words, and what was written stays", async () => {
  const before = (await sessions()).rows.length;
  const page = await ada.open("/new");
  await page.getByLabel("What should be done?").fill("Look around");
  await page.getByLabel("Workspace").fill("/etc");
  await page.getByRole("button", { name: "Start" }).click();
  await page.getByRole("alert").getByText("outside of the directories").waitFor();
  expect(await page.getByLabel("What should be done?").inputValue()).toBe("Look around");
  expect((await sessions()).rows.length).toBe(before);
});

test("a budget that is no number starts nothing", async () => {
  const page = await ada.open("/new");
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
  expect(ada.complaints).toEqual([]);
});
