import type { Request } from "playwright-core";
import { expect, test } from "vitest";
import { SYSTEM_ACTOR } from "../../packages/runtime/src/domain/actor.ts";
import { asked } from "./support/asked.ts";
import { background } from "./support/background.ts";
import { desk } from "./support/desk.ts";
import { until } from "./support/until.ts";

const at = desk({
  word_ms: 5,
  rules: [
    {
      when: "write",
      rounds: [[{ call: "write_file", with: { path: "a.txt", content: "a" } }], [{ say: "Done." }]],
    },
    { when: "hang", do: [{ say: "One moment" }, { hang: true as const }] },
    { do: [{ say: "Heard: {{prompt}}" }] },
  ],
});

const services = () => at.site.runtime.services;
const sessions = async () => (await services().sessions.list(SYSTEM_ACTOR, { limit: 200 })).rows.length;
const stateOf = async (id: string) => (await services().questions.get(SYSTEM_ACTOR, id)).state;

/** What the page asks the server to do from here on, by address and key. */
function orders(): { readonly path: string; readonly key: string | undefined }[] {
  const sent: { path: string; key: string | undefined }[] = [];
  at.ada.page.on("request", (request: Request) => {
    const path = new URL(request.url()).pathname;
    if (request.method() === "POST" && !path.endsWith("/seen"))
      sent.push({ path, key: request.headers()["idempotency-key"] });
  });
  return sent;
}

test("a double click on a place to branch from makes one branch", async () => {
  const session = await at.site.session("Twice");
  await services().turns.start(SYSTEM_ACTOR, session, { input: "hello" });
  await at.site.idle(session);
  const before = await sessions();
  const page = await at.ada.open(`/s/${session}`);
  const sent = orders();
  await page.getByRole("button", { name: /^Branch from/ }).click();
  const places = page.getByRole("complementary", { name: "Details" });
  await places.getByRole("button", { name: "Branch", exact: true }).first().dblclick();
  await page.waitForURL((url) => !url.pathname.endsWith(session));
  await page.getByText("Branched from here").waitFor();
  expect(sent.map(({ path }) => path)).toEqual([`/chat/sessions/${session}/branch`]);
  expect(await sessions()).toBe(before + 1);
});

test("a double click on Pause pauses, and does not take it back; each order has a key", async () => {
  const session = await background(at.site, { task: "please hang", until: "running" });
  const page = await at.ada.open(`/s/${session}`);
  const sent = orders();
  await page.getByRole("button", { name: "Pause", exact: true }).dblclick();
  const undo = page.getByRole("button", { name: "Do not pause" });
  await undo.waitFor();
  expect(sent).toEqual([{ path: `/sessions/${session}/pause`, key: expect.stringMatching(/^cockpit-/) }]);
  await undo.click();
  await page.getByRole("button", { name: "Pause", exact: true }).waitFor();
  expect(sent[1]).toEqual({ path: `/sessions/${session}/resume`, key: expect.stringMatching(/^cockpit-/) });
  expect(sent[1]?.key).not.toBe(sent[0]?.key);
  await services().kernel.cancel(SYSTEM_ACTOR, session);
});

test("a double click on Stop ends the turn, and not the one that waited behind it", async () => {
  const session = await at.site.session("Stop twice");
  const page = await at.ada.open(`/s/${session}`);
  await page.getByText("Nothing has been said yet").waitFor();
  await services().turns.start(SYSTEM_ACTOR, session, { input: "please hang" });
  await services().turns.queue(SYSTEM_ACTOR, session, { input: "then this" });
  await page.getByText("Queued, not heard yet").waitFor();
  const sent = orders();
  await page.getByRole("button", { name: "Stop" }).dblclick();
  await page.getByText("Heard: then this").first().waitFor();
  expect(sent.map(({ path }) => path)).toEqual([`/chat/sessions/${session}/cancel`]);
  await at.site.idle(session);
});

test("by a letter nothing is let through at once: the first press leads to the button, the second sends", async () => {
  const { session, request } = await asked(at.site, "One letter", "write it");
  const page = await at.ada.open(`/a/${request}`);
  const yes = page.getByRole("button", { name: "Approve" });
  await yes.waitFor();
  const sent = orders();
  await page.keyboard.press("a");
  expect(await yes.evaluate((button) => button === document.activeElement)).toBe(true);
  expect(sent).toEqual([]);
  expect(await stateOf(request)).toBe("pending");
  await page.keyboard.press("a");
  await until(async () => ((await stateOf(request)) === "approved" ? true : undefined));
  await page.getByText("Your decision is in the log.").waitFor();
  await at.site.idle(session);
});
