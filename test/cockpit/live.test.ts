import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { SYSTEM_ACTOR } from "../../packages/runtime/src/domain/actor.ts";
import { desk } from "./support/desk.ts";
import { openMore } from "./support/menu.ts";

const SCRIPT = {
  word_ms: 5,
  rules: [
    { when: "hang", do: [{ say: "One moment" }, { hang: true as const }] },
    { when: "slow", do: [{ say: "word ".repeat(300) }] },
    { do: [{ say: "Heard: {{prompt}}" }] },
  ],
};

const at = desk(SCRIPT, { role: "admin" });

const composer = (page: Page) => page.getByRole("textbox", { name: /Say something/ });

async function opened(title: string): Promise<{ page: Page; session: string }> {
  const session = await at.site.session(title);
  const page = await at.ada.open(`/s/${session}`);
  await page.getByRole("heading", { name: title }).waitFor();
  return { page, session };
}

test("send, and stop: the turn has ended, and the page says so", async () => {
  const { page, session } = await opened("Stop");
  await page.getByText("Nothing has been said yet").waitFor();
  await composer(page).fill("please hang");
  await page.keyboard.press("Enter");
  await page.getByText("One moment").waitFor();
  expect(await page.getByRole("button", { name: "Send" }).isDisabled()).toBe(true);
  await page.getByRole("button", { name: "Stop" }).click();
  await page.getByText(/Turn stopped/).waitFor();
  await at.site.idle(session);
});

test("queue and steer are shown as waiting until they are heard", async () => {
  const { page, session } = await opened("Queue");
  await composer(page).fill("go slow");
  await page.keyboard.press("Enter");
  await page.getByText("word word").first().waitFor();
  await composer(page).fill("and then this");
  await page.getByRole("button", { name: "Queue" }).click();
  await page.getByText("You queued, not heard yet").waitFor();
  await page.getByText("Heard: and then this").waitFor();
  await at.site.idle(session);
  expect(await page.getByText("not heard yet").count()).toBe(0);
});

test("offline and back: a calm hint, then everything that was missed, once", async () => {
  const { page, session } = await opened("Offline");
  await composer(page).fill("hello");
  await page.keyboard.press("Enter");
  await page.getByText("Heard: hello", { exact: true }).first().waitFor();
  await at.ada.context.setOffline(true);
  await page.getByText("Reconnecting. What you see is as it was").first().waitFor();
  await at.site.runtime.services.turns.start(SYSTEM_ACTOR, session, { input: "meanwhile" });
  await at.site.idle(session);
  expect(await page.getByText("Heard: meanwhile").count()).toBe(0);
  await at.ada.context.setOffline(false);
  await page.getByText("Heard: meanwhile").waitFor();
  expect(await page.getByText("Heard: meanwhile").count()).toBe(1);
  await page.getByText("Reconnecting. What you see is as it was").first().waitFor({ state: "hidden" });
});

test("what is sent while the server is away stays in the field, and is asked for again when it is back", async () => {
  const { page, session } = await opened("Away");
  await at.ada.context.setOffline(true);
  await page.getByText("Reconnecting. What you see is as it was").first().waitFor();
  await composer(page).fill("are you there");
  await page.keyboard.press("Enter");
  await page.getByText("The server does not answer.").waitFor();
  expect(await page.getByText("server_unreachable").count()).toBe(0);
  await page.getByRole("button", { name: "Try now" }).waitFor();
  await at.ada.context.setOffline(false);
  await page.getByText("Not sent: send it again.").waitFor();
  expect(await page.getByText("The server does not answer.").count()).toBe(0);
  await page.getByRole("button", { name: "Send" }).click();
  await page.getByText("Heard: are you there", { exact: true }).first().waitFor();
  await at.site.idle(session);
  expect(await page.getByText("Not sent:").count()).toBe(0);
});

test("lists that the server was too far away for come by themselves when it is back", async () => {
  const page = await at.ada.open("/s");
  await page.getByRole("link", { name: /Away/ }).first().waitFor();
  await at.ada.context.setOffline(true);
  await page.getByRole("searchbox").or(page.getByRole("textbox")).first().fill("Offline");
  await page.getByText("Reconnecting. What you see is as it was").first().waitFor();
  expect(await page.getByRole("alert").count()).toBe(0);
  await at.ada.context.setOffline(false);
  await page.getByRole("link", { name: /Away/ }).first().waitFor({ state: "detached" });
  await page
    .getByRole("link", { name: /Offline/ })
    .first()
    .waitFor();
});

test("branch here, go on in another way, and compare with the parent", async () => {
  const { page } = await opened("Branching");
  await composer(page).fill("first");
  await page.keyboard.press("Enter");
  await page.getByText("Turn completed").first().waitFor();
  const before = page.url();
  await page
    .locator('[data-kind="end"]')
    .getByRole("button", { name: /Branch here/ })
    .click();
  await page.getByRole("button", { name: "Branch", exact: true }).click();
  await page.waitForURL((url) => url.href !== before);
  await page.getByText("Branched from here").waitFor();
  await composer(page).fill("otherwise");
  await page.keyboard.press("Enter");
  await page.getByText("Heard: otherwise").waitFor();
  await openMore(page);
  await page.getByRole("link", { name: "Compare with parent" }).click();
  await page.getByText(/They share everything up to event/).waitFor();
  expect(await page.getByRole("rowheader", { name: "Turns" }).count()).toBe(1);
  expect(await page.getByRole("columnheader").allInnerTexts()).toEqual([
    expect.stringContaining("The branch"),
    expect.stringContaining("The parent"),
  ]);
  expect(await page.getByText("otherwise", { exact: true }).count()).toBe(1);

  await page.setViewportSize({ width: 390, height: 844 });
  const name = page.locator(".compare th[scope=row]", { hasText: "Questions" });
  const [box, line] = await Promise.all([
    name.boundingBox(),
    name.evaluate((element) => parseFloat(getComputedStyle(element).lineHeight)),
  ]);
  expect(box?.height).toBeLessThan(line * 2);
  expect(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)).toBe(false);
  await page.setViewportSize({ width: 1440, height: 900 });
});

test("branch here on an answer takes the whole answer along", async () => {
  const { page } = await opened("Whole answers");
  await composer(page).fill("something to repeat");
  await page.keyboard.press("Enter");
  await page.getByText("Turn completed").first().waitFor();
  const before = page.url();
  await page
    .locator('[data-kind="text"]')
    .first()
    .getByRole("button", { name: /Branch here/ })
    .click();
  await page.getByRole("button", { name: "Branch", exact: true }).click();
  await page.waitForURL((url) => url.href !== before);
  await page.getByText("Branched from here").waitFor();
  await page.getByText("Heard: something to repeat").waitFor();
});

test("the debug tier adds what the default one leaves out, raw and to be copied", async () => {
  const { page } = await opened("Debug");
  await composer(page).fill("something");
  await page.keyboard.press("Enter");
  await page.getByText("Turn completed").first().waitFor();
  expect(await page.locator('[data-kind="raw"]').count()).toBe(0);
  await page.getByRole("button", { name: /Debug/ }).click();
  const usage = page.locator('[data-kind="raw"]', { hasText: "usage" });
  await usage.first().waitFor();
  await usage.first().locator(".fold-head").first().click();
  expect(await usage.first().locator("pre").innerText()).toContain('"input_tokens"');
  expect(await usage.first().getByRole("button", { name: "Copy" }).count()).toBe(1);
  await page.getByRole("button", { name: /Debug/ }).click();
  await page.locator('[data-kind="raw"]').first().waitFor({ state: "detached" });
});

test("keyboard only: the palette finds a session and opens it", async () => {
  const session = await at.site.session("Needle in a stack");
  const page = await at.ada.open("/");
  await page.getByRole("heading", { level: 1 }).waitFor();
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox").waitFor();
  await page.getByRole("option", { name: "Needle in a stack" }).waitFor();
  await page.keyboard.type("needle");
  await page.keyboard.press("Enter");
  await page.waitForURL(`**/s/${session}`);
});

test("a budget that is used up asks a person, and the meter says so", async () => {
  const page = await at.ada.open("/new");
  await page.getByLabel("What should be done?").fill("say something");
  await page.getByLabel("Kind").selectOption("background");
  await page.getByLabel("Most tokens").fill("1");
  await page.getByRole("button", { name: "Start" }).click();
  await page.waitForURL("**/s/ses_*");
  const progress = page.getByRole("progressbar", { name: "Tokens" });
  await progress.waitFor();
  await page.getByRole("region", { name: /asks for a decision/ }).waitFor();
});

test("what only https has is not needed: a text is sent, and copying says that it cannot", async () => {
  const { page } = await opened("Plain http");
  await page.addInitScript(() => {
    Object.defineProperty(crypto, "randomUUID", { value: undefined });
    Object.defineProperty(navigator, "clipboard", { value: undefined });
  });
  await page.reload();
  await composer(page).fill("over plain http");
  await page.keyboard.press("Enter");
  await page.getByText("Turn completed").first().waitFor();
  await page.getByRole("button", { name: /Debug/ }).click();
  const usage = page.locator('[data-kind="raw"]', { hasText: "usage" }).first();
  await usage.locator(".fold-head").first().click();
  await usage.getByRole("button", { name: "Copy" }).click();
  await usage.getByText("Not allowed here").waitFor();
});

test("a tab that opens out of sight holds no connection until somebody looks", async () => {
  const session = await at.site.session("Unseen");
  const page = await at.ada.context.newPage();
  const streams: string[] = [];
  page.on("websocket", (socket) => streams.push(socket.url()));
  page.on("request", (request) => request.url().includes("/stream") && streams.push(request.url()));
  await page.addInitScript(() => {
    Object.defineProperty(Document.prototype, "hidden", { configurable: true, get: () => true });
  });
  await page.goto(`${at.site.url}/s/${session}`);
  await page.getByRole("heading", { name: "Unseen" }).waitFor();
  expect(streams).toEqual([]);
  await page.evaluate(() => {
    Object.defineProperty(Document.prototype, "hidden", { configurable: true, get: () => false });
    document.dispatchEvent(new Event("visibilitychange"));
  });
  await composer(page).fill("hello");
  await page.keyboard.press("Enter");
  await page.getByText("Heard: hello", { exact: true }).first().waitFor();
  expect(streams).toHaveLength(1);
  await page.close();
});
