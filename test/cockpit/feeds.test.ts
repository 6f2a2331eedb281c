import type { Page, Route } from "playwright-core";
import { expect, test } from "vitest";
import { SYSTEM_ACTOR } from "../../packages/runtime/src/domain/actor.ts";
import { desk } from "./support/desk.ts";
import { until } from "./support/until.ts";

const at = desk({ rules: [{ do: [{ say: "Heard: {{prompt}}" }] }] });
const url = (): string => at.site.url;

async function ask(tool: string): Promise<{ readonly session: string; readonly request: string }> {
  const session = await at.site.session(`Asks for ${tool}`);
  const shown = { arguments: { target: "a" } };
  const { request_id: request } = await at.site.runtime.services.questions.ask(session, {
    kind: "approval",
    tool_name: tool,
    reason: "It deletes.",
    shown,
  });
  return { session, request };
}

const card = (page: Page) => page.getByRole("region", { name: /asks for a decision/ });

test.each([
  ["none are there", "delete window.WebSocket"],
  [
    "a policy forbids them",
    "window.WebSocket = class { constructor() { throw new DOMException('It is insecure.', 'SecurityError'); } }",
  ],
])("without sockets the stream comes as any other answer: %s", async (why, script) => {
  const session = await at.site.session(why);
  const page = await at.ada.context.newPage();
  await page.addInitScript(script);
  await page.goto(`${url()}/s/${session}`);
  await page.getByText("Nothing has been said yet").waitFor();
  await at.site.runtime.services.turns.start(SYSTEM_ACTOR, session, { input: "over plain http" });
  await page.getByText("Heard: over plain http", { exact: true }).first().waitFor();
  expect(await page.getByText("Reconnecting").count()).toBe(0);
  await page.close();
});

test("while much happens and the server is slow, lists and links are shown all the same", async () => {
  const { request } = await ask("rm");
  const noisy = await at.site.session("Noisy");
  let quiet = false;
  const noise = (async () => {
    for (let n = 1; !quiet; n++) {
      await at.site.append(noisy, [
        { type: "runtime.session.seen", data: { session_id: noisy, actor: "x", upto_seq: n } },
      ]);
      await new Promise((resolve) => setTimeout(resolve, 60));
    }
  })();
  // Each answer takes longer than the inbox stays as it is.
  const late = async (route: Route): Promise<void> => {
    await new Promise((resolve) => setTimeout(resolve, 700));
    await route.continue().catch(() => {});
  };
  const page = await at.ada.context.newPage();
  await page.route(/\/(sessions\?|approvals\/apr_|approvals\?|approvals\/patterns)/, late);
  try {
    await page.goto(`${url()}/s`);
    await page.locator(".session-item").first().waitFor();
    await page.goto(`${url()}/a`);
    await page.getByRole("link", { name: /rm/ }).first().waitFor();
    await page.goto(`${url()}/a/${request}`);
    await card(page).getByRole("button", { name: "Approve" }).waitFor();
  } finally {
    quiet = true;
    await noise;
  }
  await page.close();
});

test("what is opened while the server is away is there by itself when it is back", async () => {
  const [one, two] = [await ask("one"), await ask("two")];
  const page = await at.ada.context.newPage();
  await page.goto(`${url()}/`);
  const row = page.locator(`[data-key="${one.request}"]`);
  await row.getByRole("button", { name: "Approve…" }).waitFor();
  await at.ada.context.setOffline(true);
  await row.getByRole("button", { name: "Approve…" }).click();
  await row.getByText("The server does not answer.").waitFor();
  await at.ada.context.setOffline(false);
  await card(page).getByRole("button", { name: "Approve" }).waitFor();
  expect(await row.getByText("The server does not answer.").count()).toBe(0);

  // A page that is loaded, and asks for what only then is not to be had.
  const away = (route: Route): Promise<void> => route.abort();
  await page.route(/\/sessions\/.*\/compare\//, away);
  await page.goto(`${url()}/s/${one.session}/compare/${two.session}`);
  await page.getByText("The server does not answer.").waitFor();
  await page.unroute(/\/sessions\/.*\/compare\//, away);
  await page.getByRole("rowheader", { name: "Turns" }).waitFor();
  expect(await page.getByText("The server does not answer.").count()).toBe(0);

  await page.route(new RegExp(`/sessions/${one.session}\\?`), away);
  const failed = page.waitForEvent("requestfailed");
  await page.goto(`${url()}/s/${one.session}`);
  await failed;
  await page.unroute(new RegExp(`/sessions/${one.session}\\?`), away);
  await page.getByRole("button", { name: /^Branch from/ }).waitFor();
  await page.close();
});

test("more of a group is walked through in the order of the screen", async () => {
  for (let n = 0; n < 55; n++) await ask(`tool-${n}`);
  const { session_id } = await at.site.runtime.services.kernel.start(SYSTEM_ACTOR, { task: "hello" });
  await until(async () => {
    const { status } = await at.site.runtime.services.sessions.get(SYSTEM_ACTOR, session_id);
    return status === "completed" ? true : undefined;
  });
  const page = await at.ada.context.newPage();
  await page.goto(`${url()}/`);
  const rows = page.locator("li[data-key]");
  await page.getByRole("heading", { name: /^Done, not yet seen/ }).waitFor();
  const before = await rows.count();
  await page.getByRole("button", { name: "Show more" }).first().click();
  await expect.poll(() => rows.count()).toBeGreaterThan(before);
  const screen = await rows.evaluateAll((all) => all.map((row) => row.getAttribute("data-key")));
  const walked: (string | null)[] = [];
  for (const _ of screen) {
    await page.keyboard.press("j");
    walked.push(await page.locator("li.chosen").getAttribute("data-key"));
  }
  expect(walked).toEqual(screen);
  await page.close();
});
