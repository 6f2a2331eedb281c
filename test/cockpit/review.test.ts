import { expect, test } from "vitest";
import { SYSTEM_ACTOR } from "../../packages/runtime/src/domain/actor.ts";
import { background, reached } from "./support/background.ts";
import { desk } from "./support/desk.ts";

const at = desk({ rules: [{ do: [{ say: "Done, I say." }] }] });

const unproven = () =>
  background(at.site, {
    task: "go",
    title: "Unproven",
    requires: [{ kind: "command", command: "npm test" }],
    until: "needs_review",
  });

test.each([{ phone: false }, { phone: true }])(
  "work that needs review is accepted, with why: %o",
  async ({ phone }) => {
    const session = await unproven();
    const ada = await at.site.person(at.browser, { phone });
    const page = await ada.open(`/s/${session}`);
    await page.locator(".session-head").getByText("Needs review").waitFor();
    await page.getByRole("button", { name: "Accept" }).click();
    await page.getByLabel("Why? May be left empty.").fill("I ran it myself");
    await page.getByRole("button", { name: "It is good" }).click();
    await page.locator(".head-facts").getByText("Done").waitFor();
    await page.getByRole("button", { name: "Accept", exact: true }).waitFor({ state: "detached" });
    await page
      .getByText(/I ran it myself/)
      .first()
      .waitFor();
    await reached(at.site, session, "completed");
    expect(ada.complaints).toEqual([]);
    await ada.context.close();
  },
);

test("a yes that does not arrive is said not to have arrived", async () => {
  const session = await unproven();
  const ada = await at.site.person(at.browser);
  const page = await ada.open(`/s/${session}`);
  await page.getByRole("button", { name: "Accept" }).click();
  await ada.context.setOffline(true);
  await page.getByRole("button", { name: "It is good" }).click();
  await page.getByText("The server does not answer.").waitFor();
  await ada.context.setOffline(false);
  const { status } = await at.site.runtime.services.sessions.get(SYSTEM_ACTOR, session);
  expect(status).toBe("needs_review");
  await ada.context.close();
});

test("who only looks cannot accept", async () => {
  const session = await unproven();
  const vera = await at.site.person(at.browser, { name: "vera", role: "viewer" });
  const page = await vera.open(`/s/${session}`);
  await page.locator(".session-head").getByText("Needs review").waitFor();
  expect(await page.getByRole("button", { name: "Accept", exact: true }).count()).toBe(0);
  await vera.context.close();
});

test("who only looks at what needs review has not dealt with it; who marks it seen has", async () => {
  const session = await unproven();
  const eve = await at.site.person(at.browser, { name: "eve" });
  const { page } = eve;
  // That the page was looked at is heard: without it nothing would be proven.
  const looked = page.waitForResponse(/\/inbox\/.*\/seen/);
  await eve.open(`/s/${session}`);
  await page.locator(".session-head").getByText("Needs review").waitFor();
  expect((await looked).status()).toBe(200);
  await eve.open("/");
  await page.getByRole("heading", { name: "What needs you now" }).waitFor();
  const row = page.locator(`[data-key="${session}"]`);
  await row.getByRole("button", { name: "Accept" }).waitFor();
  await row.getByRole("button", { name: "Resume" }).waitFor();
  await row.getByRole("button", { name: "Mark seen" }).click();
  await row.getByRole("button", { name: "Accept" }).waitFor({ state: "detached" });
  await eve.context.close();
});

test("where a notice cannot be made the count goes on, and a refusal is said", async () => {
  const ned = await at.site.person(at.browser, { name: "ned" });
  const { page } = ned;
  await page.addInitScript(() => {
    // As Chrome on Android has it: the name is there, and making one is refused.
    const state = { permission: "denied" };
    Object.assign(globalThis, { state });
    class Refused {
      static get permission() {
        return state.permission;
      }
      static requestPermission = async () => state.permission;
      constructor() {
        throw new TypeError("Illegal constructor");
      }
    }
    Object.defineProperty(globalThis, "Notification", { value: Refused });
  });
  await ned.open("/");
  const button = page.getByRole("button", { name: "Notify me" });
  await button.click();
  await page.getByText("Your browser does not allow it").waitFor();
  await page.evaluate(() => {
    (globalThis as unknown as { state: { permission: string } }).state.permission = "granted";
  });
  await button.click();
  await page.getByRole("button", { name: "Notifications on" }).waitFor();
  // Out of sight, with the stream not yet let go of.
  await page.evaluate(() => Object.defineProperty(document, "hidden", { get: () => true }));
  const session = await unproven();
  await page.locator(`[data-key="${session}"]`).waitFor();
  await button.waitFor();
  expect(ned.complaints).toEqual([]);
  await ned.context.close();
});
