import { expect, test } from "vitest";
import { SYSTEM_ACTOR } from "../../packages/runtime/src/domain/actor.ts";
import { background, reached } from "./support/background.ts";
import { desk } from "./support/desk.ts";

const FAILS = { fail: "No such key.", status: 401 } as const;
const at = desk({
  word_ms: 5,
  rules: [
    { when: "mend later", at_first: [[FAILS]], do: [{ say: "Now it works." }] },
    {
      when: "busy",
      at_first: [[{ fail: "Overloaded.", status: 529, retry_after_ms: 15_000 }]],
      do: [{ say: "At last." }],
    },
    {
      when: "in steps",
      rounds: [[{ wait_ms: 2_000 }, { call: "list_files", with: { path: "." } }], [{ hang: true as const }]],
    },
    { do: [FAILS] },
  ],
});

async function failed(input: string, title: string) {
  const session = await at.site.session(title);
  await at.site.runtime.services.turns.start(SYSTEM_ACTOR, session, { input });
  await at.site.idle(session);
  return session;
}

test("a chat whose last turn failed is failed in the inbox, in the list and in its head", async () => {
  const session = await failed("do it", "Broken chat");
  const page = await at.ada.open("/");
  const row = page.locator(`[data-key="${session}"]`);
  await row.locator(".chip", { hasText: "Failed" }).waitFor();
  expect(await row.getByText("Idle").count()).toBe(0);
  await row.getByRole("button", { name: "Try again" }).waitFor();
  await at.ada.open("/s?status=failed");
  const item = page.locator(".session-item", { hasText: "Broken chat" });
  await item.locator(".chip", { hasText: "Failed" }).waitFor();
  await item.click();
  await page.locator(".session-head .chip", { hasText: "Failed" }).waitFor();
  expect(await page.locator(".session-head").getByText("Idle").count()).toBe(0);
});

test("what failed is tried again from the inbox, once, with the same request", async () => {
  const session = await failed("mend later, please", "Mended chat");
  const page = await at.ada.open("/");
  const row = page.locator(`[data-key="${session}"]`);
  await row.getByRole("button", { name: "Try again" }).click();
  await row.locator(".chip", { hasText: "Done" }).waitFor();
  await row.getByText("Now it works.").waitFor();
  await at.ada.open(`/s/${session}`);
  await page.getByText("Now it works.").first().waitFor();
  expect(await page.locator(".said", { hasText: "mend later, please" }).count()).toBe(2);
  expect(await page.getByRole("button", { name: "Try again" }).count()).toBe(0);
});

test("what failed is tried again from its page; who only looks is not offered it", async () => {
  const session = await failed("fail", "Failing chat");
  const page = await at.ada.open(`/s/${session}`);
  await page.getByRole("button", { name: "Try again" }).click();
  await page.locator(".said").nth(1).waitFor();
  await at.site.idle(session);
  const vera = await at.site.person(at.browser, { name: "vera", role: "viewer" });
  const looked = await vera.open(`/s/${session}`);
  await looked.locator(".session-head .chip", { hasText: "Failed" }).waitFor();
  expect(await looked.getByRole("button", { name: "Try again" }).count()).toBe(0);
  await vera.context.close();
});

test("a model that is asked again in a while says why and until when; stopped, that is over", async () => {
  const session = await at.site.session("Busy model");
  await at.site.runtime.services.turns.start(SYSTEM_ACTOR, session, { input: "busy" });
  const page = await at.ada.open(`/s/${session}`);
  await page.locator(".timeline").getByText("Overloaded.").waitFor();
  const when = page.getByText(/It is tried again by itself at .*That was try 1/);
  await when.waitFor();
  await page.getByRole("button", { name: "Stop" }).click();
  await page.getByText(/Turn stopped/).waitFor();
  expect(await when.count()).toBe(0);
});

test("what a person paused says who did, and is resumed where it is listed", async () => {
  const session = await background(at.site, { task: "in steps", title: "Held work", until: "running" });
  await at.site.runtime.services.kernel.pause(SYSTEM_ACTOR, session, "Not now.");
  const page = await at.ada.open("/");
  const row = page.locator(`[data-key="${session}"]`);
  await reached(at.site, session, "paused");
  await row.getByText(`Paused by ${SYSTEM_ACTOR.name}.`).waitFor();
  await row.getByRole("button", { name: "Resume" }).click();
  await row.locator(".chip", { hasText: "Working" }).waitFor();
});
