import { beforeAll, expect, test } from "vitest";
import { desk } from "./support/desk.ts";

const at = desk();
beforeAll(async () => {
  for (let i = 0; i < 30; i++) await at.site.session(`Session ${i}`);
});

test("single letters can be turned off, the list of keys says which there are, and Ctrl-K stays", async () => {
  const { page, context } = await at.site.person(at.browser);
  await page.getByRole("heading", { name: "Nothing needs you" }).waitFor();
  await page.keyboard.press("?");
  const help = page.getByRole("dialog", { name: "Keyboard" });
  await help.getByText("Approve: shown first").waitFor();
  await help.getByLabel("Single letters do something").uncheck();
  expect(await help.getByText("Approve: shown first").count()).toBe(0);
  await page.keyboard.press("Escape");
  await help.waitFor({ state: "detached" });

  await page.keyboard.press("/");
  await page.keyboard.press("?");
  await page.keyboard.press("j");
  expect(await page.getByRole("dialog").count()).toBe(0);
  // No sign of a key that does nothing.
  expect(await page.getByRole("navigation").locator("kbd").count()).toBe(0);
  expect(await page.locator("li.chosen").count()).toBe(0);
  await page.reload();
  await page.getByRole("heading", { name: "Nothing needs you" }).waitFor();
  await page.keyboard.press("/");
  expect(await page.getByRole("dialog").count()).toBe(0);

  await page.keyboard.press("Control+k");
  await page.getByRole("combobox").fill("single-letter");
  await page.keyboard.press("Enter");
  await page.keyboard.press("/");
  const palette = page.getByRole("dialog", { name: "Commands" });
  await palette.getByRole("combobox").fill("nothing is called like this");
  await palette.getByText("Nothing fits.").waitFor();
  await context.close();
});

test("what lay over the page gives the focus back, however it is closed", async () => {
  const { page, context } = await at.site.person(at.browser);
  const link = page.getByRole("link", { name: "Approvals" });
  const focused = () => link.evaluate((element) => element === document.activeElement);
  const palette = page.getByRole("dialog", { name: "Commands" });
  await link.focus();
  await page.keyboard.press("Control+k");
  await palette.waitFor();
  await page.keyboard.press("Control+k");
  await palette.waitFor({ state: "detached" });
  expect(await focused()).toBe(true);

  await page.keyboard.press("Control+k");
  await page.getByRole("combobox").fill("Theme: Dark");
  await page.keyboard.press("Enter");
  await palette.waitFor({ state: "detached" });
  expect(await focused()).toBe(true);

  await page.keyboard.press("Control+k");
  await page.getByRole("combobox").fill("keyboard");
  await page.keyboard.press("Enter");
  const help = page.getByRole("dialog", { name: "Keyboard" });
  await help.getByRole("button", { name: "Close" }).click();
  await help.waitFor({ state: "detached" });
  expect(await focused()).toBe(true);

  await page.keyboard.press("Control+k");
  await page.getByRole("combobox").fill("go to the sessions");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Sessions" }).waitFor();
  expect(await page.evaluate(() => document.activeElement?.id)).toBe("main");
  await context.close();
});

test("the palette scrolls with what is chosen, and finds what the server finds", async () => {
  const { page, context } = await at.site.person(at.browser);
  await page.keyboard.press("Control+k");
  const palette = page.getByRole("dialog", { name: "Commands" });
  await palette.getByRole("option", { name: "Session 29" }).waitFor();
  for (let i = 0; i < 25; i++) await page.keyboard.press("ArrowDown");
  const isSeen = await palette.locator('[aria-selected="true"]').evaluate((option) => {
    const [box, list] = [option.getBoundingClientRect(), option.parentElement!.getBoundingClientRect()];
    return box.top >= list.top && box.bottom <= list.bottom;
  });
  expect(isSeen).toBe(true);
  expect(await palette.getByRole("option", { name: "Session 3", exact: true }).count()).toBe(0);
  await page.getByRole("combobox").fill("session 3");
  await palette.getByRole("option", { name: "Session 3", exact: true }).click();
  await page.getByRole("heading", { name: "Session 3" }).waitFor();
  await context.close();
});

test("on a phone, search, theme, keys and sign-out are one touch away", async () => {
  const { page, context } = await at.site.person(at.browser, { phone: true });
  const more = page.getByRole("button", { name: "More" });
  const menu = page.getByRole("dialog", { name: "More" });
  await more.click();
  await menu.getByLabel("Dark").check();
  expect(await page.evaluate(() => document.documentElement.dataset["theme"])).toBe("dark");
  await menu.getByRole("button", { name: "Search and commands" }).click();
  await page.getByRole("dialog", { name: "Commands" }).getByRole("combobox").waitFor();
  await page.keyboard.press("Escape");
  await more.click();
  await menu.getByRole("button", { name: "Sign out" }).click();
  await page.getByText("You are not signed in").waitFor();
  await context.close();
});

test("a sign-out that the server did not hear does not look done", async () => {
  const { page, context } = await at.site.person(at.browser);
  await page.route("**/auth/**", (route) => route.abort());
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.getByRole("alert").getByText("You are still signed in").waitFor();
  expect(await page.getByText("You are not signed in").count()).toBe(0);
  await page.unroute("**/auth/**");
  await page.getByRole("button", { name: "Sign out again" }).click();
  await page.getByText("You are not signed in").waitFor();
  await page.reload();
  await page.getByText("You are not signed in").waitFor();
  await context.close();
});
