import type { Locator, Page } from "playwright-core";
import { expect, test } from "vitest";
import { SYSTEM_ACTOR } from "../../packages/runtime/src/domain/actor.ts";
import { desk } from "./support/desk.ts";
import { openMore } from "./support/menu.ts";

const at = desk({ rules: [{ do: [{ say: "Done." }] }] });
const LONG = `Bring the changelog up to date, ${"and then the next one, ".repeat(12)}and stop`;

async function turned(session: string, input: string): Promise<void> {
  await at.site.runtime.services.turns.start(SYSTEM_ACTOR, session, { input });
  await at.site.idle(session);
}

/** A session with a branch, and that with one. */
async function family(title: string): Promise<readonly [string, string, string]> {
  const { branches } = at.site.runtime.services;
  const top = await at.site.session(title);
  await turned(top, "hello");
  const first = (await branches.branch(SYSTEM_ACTOR, top, {})).session_id;
  await turned(first, "otherwise");
  const second = (await branches.branch(SYSTEM_ACTOR, first, {})).session_id;
  return [top, first, second];
}

const items = (page: Page) => page.locator(".session-item");
const inSight = (mark: Locator) =>
  mark.evaluate((node) => {
    const { left, right } = node.getBoundingClientRect();
    const line = node.closest("a")!.getBoundingClientRect();
    return left >= line.left && right <= line.right && right <= innerWidth;
  });

test("branches stand below what they left and are told apart by their titles; a search finds each", async () => {
  const [top, first, second] = await family("Tidy up");
  const page = await at.ada.open("/s?search=tidy");
  await page.waitForFunction(() => document.querySelectorAll(".session-item").length === 3);
  expect(await items(page).evaluateAll((all) => all.map((one) => one.getAttribute("href")))).toEqual(
    [top, first, second].map((id) => `/s/${id}`),
  );
  await items(page).nth(1).getByText("(branch 1)", { exact: true }).waitFor();
  await items(page).nth(2).getByText("(branch 1.1)", { exact: true }).waitFor();
  await page.getByRole("link", { name: /^Branch: Tidy up \(branch 1\)/ }).waitFor();

  await page.getByLabel("Search sessions").fill("tidy branch 1.1");
  await page.waitForFunction(() => document.querySelectorAll(".session-item").length === 1);
  expect(await items(page).first().getAttribute("href")).toBe(`/s/${second}`);
});

test("side by side, each is headed by its own title", async () => {
  const [top, first] = await family("Compared");
  const page = await at.ada.open(`/s/${first}`);
  await openMore(page);
  await page.getByRole("link", { name: "Compare with parent" }).click();
  await page.getByText(/They share everything up to event/).waitFor();
  const heads = await page.locator("th[scope=col]").allInnerTexts();
  expect(heads.map((head) => head.split(/\n+/).map((part) => part.trim()))).toEqual([
    ["Compared (branch 1)", "The branch"],
    ["Compared", "The parent"],
  ]);
  expect(page.url()).toContain(`/s/${first}/compare/${top}`);
});

test.each([
  ["a desk", false],
  ["a phone", true],
])("on %s, a long title leaves the branch's number in sight, in lists and in the inbox", async (_, phone) => {
  await family(`${LONG} ${phone}`);
  const bo = await at.site.person(at.browser, { name: `bo-${phone}`, phone });
  const page = await bo.open(`/s?search=${encodeURIComponent(`stop ${phone}`)}`);
  await page.waitForFunction(() => document.querySelectorAll(".session-item").length === 3);
  for (const mark of ["(branch 1)", "(branch 1.1)"])
    expect(await inSight(page.getByText(mark, { exact: true }))).toBe(true);
  await page.goto(`${at.site.url}/`);
  const mark = page.locator("li", { hasText: `stop ${phone}` }).getByText("(branch 1)", { exact: true });
  await mark.waitFor();
  expect(await inSight(mark)).toBe(true);
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
  expect(bo.complaints).toEqual([]);
  await bo.context.close();
});
