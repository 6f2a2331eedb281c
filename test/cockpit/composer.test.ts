import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { SYSTEM_ACTOR } from "../../packages/runtime/src/domain/actor.ts";
import { background, reached } from "./support/background.ts";
import { desk } from "./support/desk.ts";

const SCRIPT = {
  rules: [
    { when: "hang", do: [{ say: "One moment" }, { hang: true as const }] },
    { when: "break", at_first: [[{ fail: "no such thing", status: 400 }]], do: [{ say: "Mended." }] },
    { do: [{ say: "Heard: {{prompt}}" }] },
  ],
};

const at = desk(SCRIPT);

const field = (page: Page) => page.getByRole("textbox", { name: /Say something/ });
const button = (page: Page, name: string) => page.locator(".composer").getByRole("button", { name });

test("background work that runs is steered; sending and queueing are not offered", async () => {
  const session = await background(at.site, { task: "hang", title: "Under way", until: "running" });
  const page = await at.ada.open(`/s/${session}`);
  await page.getByText("One moment").waitFor();
  await field(page).fill("the other way");
  expect(await button(page, "Send").count()).toBe(0);
  expect(await button(page, "Queue").count()).toBe(0);
  expect(await button(page, "Resume with this").getAttribute("title")).toMatch(/steer/);
  expect(await button(page, "Resume with this").isDisabled()).toBe(true);
  await button(page, "Steer").click();
  await page.getByText("You steered, not heard yet").waitFor();
  expect(await field(page).inputValue()).toBe("");
  await at.site.runtime.services.kernel.cancel(SYSTEM_ACTOR, session);
});

test("failed background work is resumed with what is written", async () => {
  const session = await background(at.site, { task: "break it", title: "Broken", until: "failed" });
  const page = await at.ada.open(`/s/${session}`);
  await page.locator(".session-head").getByText("Failed").waitFor();
  await field(page).fill("again please");
  await button(page, "Resume with this").click();
  await page.getByText("Heard: again please").waitFor();
  await reached(at.site, session, "completed");
});

test("finished background work goes on in a branch that is told what is written", async () => {
  const session = await background(at.site, { task: "first", title: "Over", until: "completed" });
  const page = await at.ada.open(`/s/${session}`);
  await page.locator(".session-head").getByText("Done").waitFor();
  await field(page).fill("and now this");
  expect(await button(page, "Resume with this").getAttribute("title")).toMatch(/branch/);
  await page.keyboard.press("Enter");
  await page.waitForURL((url) => url.pathname.startsWith("/s/") && !url.pathname.endsWith(session));
  await page.getByText("Heard: and now this").waitFor();
  expect(await page.locator('[data-kind="text"]', { hasText: "Heard: first" }).count()).toBe(1);
});

test("a text that does not arrive stays, with what went wrong, and arrives once when it is sent again", async () => {
  const session = await at.site.session("Cut off");
  const page = await at.ada.open(`/s/${session}`);
  await field(page).fill("do not lose me");
  await page.route("**/turns", (route) => route.abort());
  await button(page, "Send").click();
  await page.getByText("The server does not answer.").waitFor();
  expect(await field(page).inputValue()).toBe("do not lose me");
  await page.unroute("**/turns");
  await page.keyboard.press("Tab");
  await button(page, "Send").click();
  await page.getByText("Heard: do not lose me").waitFor();
  expect(await field(page).inputValue()).toBe("");
});

test("what is written while a text is being sent is not wiped by its arrival", async () => {
  const session = await at.site.session("Slow wire");
  const page = await at.ada.open(`/s/${session}`);
  let pass = (): void => {};
  const held = new Promise<void>((resolve) => (pass = resolve));
  await page.route("**/turns", async (route) => {
    await held;
    await route.continue();
  });
  await field(page).fill("first words");
  const asked = page.waitForRequest("**/turns");
  await page.keyboard.press("Enter");
  await asked;
  await field(page).pressSequentially(" and second ones");
  pass();
  await page.getByText("Heard: first words").waitFor();
  expect(await field(page).inputValue()).toBe("and second ones");
  await page.unroute("**/turns");
});

test("what was written and not sent is there again after looking elsewhere, and gone once it is sent", async () => {
  const session = await at.site.session("Half written");
  const page = await at.ada.open(`/s/${session}`);
  await field(page).fill("half a thou");
  await page.getByRole("link", { name: "Inbox" }).click();
  await page.getByRole("heading", { level: 1, name: /need/ }).waitFor();
  await page.goBack();
  await field(page).waitFor();
  expect(await field(page).inputValue()).toBe("half a thou");
  await field(page).fill("a whole thought");
  await page.keyboard.press("Enter");
  await page.getByText("Heard: a whole thought").waitFor();
  await page.reload();
  await field(page).waitFor();
  expect(await field(page).inputValue()).toBe("");
});

test("what is off can be reached, says why for everyone to read, and does nothing", async () => {
  const session = await at.site.session("Off");
  const page = await at.ada.open(`/s/${session}`);
  await page.locator(".composer").getByText("Steer, Stop: No turn is open.").waitFor();
  await field(page).focus();
  await page.keyboard.press("Tab");
  expect(await described(page)).toEqual(["Send", "Write something first."]);
  await page.keyboard.press("Enter");
  expect(await page.evaluate(() => document.activeElement?.id)).toBe("composer-text");
  await field(page).fill("hello");
  await page.keyboard.press("Tab");
  expect(await described(page)).toEqual(["Send", ""]);
  await page.keyboard.press("Tab");
  expect(await described(page)).toEqual(["Steer", "Steer, Stop: No turn is open."]);
  await page.keyboard.press("Enter");
  await button(page, "Stop").focus();
  await page.keyboard.press("Enter");
  expect(await described(page)).toEqual(["Stop", "Steer, Stop: No turn is open."]);
  await button(page, "Send").click();
  await page.getByText("Heard: hello").waitFor();
  await at.site.idle(session);
  // What was pressed while it was off began nothing.
  expect(await page.locator('[data-kind="said"]').count()).toBe(1);
});

/** What has the focus, and what those who listen hear beside its name. */
async function described(page: Page): Promise<readonly (string | undefined)[]> {
  return page.evaluate(() => {
    const element = document.activeElement;
    const by = element?.getAttribute("aria-describedby") ?? "";
    return [element?.textContent?.trim(), document.getElementById(by)?.textContent?.trim() ?? ""];
  });
}
