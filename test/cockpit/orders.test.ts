import { expect, test } from "vitest";
import { SYSTEM_ACTOR } from "../../packages/runtime/src/domain/actor.ts";
import { background, reached } from "./support/background.ts";
import { desk } from "./support/desk.ts";
import { openMore } from "./support/menu.ts";

const at = desk({
  rules: [
    {
      when: "ask",
      rounds: [[{ call: "write_file", with: { path: "a.md", content: "a" } }], [{ say: "Done." }]],
    },
    { do: [{ say: "One moment" }, { hang: true }] },
  ],
});

test("a pause is told at once, a cancel asks once, and what was cut off promises nothing", async () => {
  const session = await background(at.site, { task: "go", title: "Long work" });
  const page = await at.ada.open(`/s/${session}`);
  await page.getByText("One moment").waitFor();
  await page.getByRole("button", { name: "Pause", exact: true }).click();
  await page.locator(".session-head").getByText("Pausing after this step").waitFor();
  await openMore(page);
  const cancel = page.getByRole("button", { name: "Cancel", exact: true });
  await cancel.click();
  await page.getByText("Cancel for good? It can go on only in a branch.").waitFor();
  await page.keyboard.press("Escape");
  const { status } = await at.site.runtime.services.sessions.get(SYSTEM_ACTOR, session);
  expect(status).toBe("running");
  await cancel.click();
  await page.getByRole("button", { name: "Cancel it" }).click();
  await reached(at.site, session, "cancelled");
  await page.getByText("Cut off here:").waitFor();
  expect(await page.getByText("said again below").count()).toBe(0);
  expect(await page.getByText("Pausing after this step").count()).toBe(0);
});

test("a pause is known in every tab and in the inbox, also one opened later, and can be taken back", async () => {
  const session = await background(at.site, { task: "go", title: "Seen by two" });
  const page = await at.ada.open(`/s/${session}`);
  await page.getByText("One moment").waitFor();
  const bo = await at.site.person(at.browser, { name: "bo" });
  await bo.open(`/s/${session}`);
  await bo.page.getByText("One moment").waitFor();
  await page.getByRole("button", { name: "Pause", exact: true }).click();
  const told = "Pausing after this step, as ada wants";
  await bo.page.locator(".session-head").getByText(told).waitFor();
  await bo.page.reload();
  await bo.page.locator(".session-head").getByText(told).waitFor();

  await page.goto(`${at.site.url}/`);
  const line = page.getByRole("link", { name: /Seen by two/ });
  await line.getByText(told).waitFor();
  await bo.page.getByRole("button", { name: "Do not pause" }).click();
  await bo.page.locator(".session-head").getByText(told).waitFor({ state: "detached" });
  await line.getByText(told).waitFor({ state: "detached" });
  const { status, pausing } = await at.site.runtime.services.sessions.get(SYSTEM_ACTOR, session);
  expect([status, pausing ?? null]).toEqual(["running", null]);
  expect(bo.complaints).toEqual([]);
  await bo.context.close();
});

test("the list of sessions says of which a pause is ordered, by whom, and until it is taken back", async () => {
  const session = await background(at.site, { task: "go", title: "In the list", until: "running" });
  const page = await at.ada.open("/s?search=in+the+list");
  const line = page.getByRole("link", { name: /In the list/ });
  await line.getByText("Working", { exact: true }).waitFor();
  expect(await line.getByText("Pausing", { exact: true }).count()).toBe(0);
  await at.site.runtime.services.kernel.pause(SYSTEM_ACTOR, session);
  await line.getByText("Pausing", { exact: true }).waitFor();
  await line.getByText(`${SYSTEM_ACTOR.name} wants it to pause`).waitFor();
  await line.getByText("Working", { exact: true }).waitFor();
  await at.site.runtime.services.kernel.resume(SYSTEM_ACTOR, session);
  await line.getByText("Pausing", { exact: true }).waitFor({ state: "detached" });
});

test("a pause that met a question, and nobody has heard, is taken back there too; the question stays", async () => {
  const session = await background(at.site, { task: "ask", title: "Met", until: "awaiting_approval" });
  // Two commands met: the second only left the wish.
  const wish = { session_id: session, actor: "bo", reason: "Lunch." };
  await at.site.append(session, [{ type: "runtime.session.pausing", data: wish }]);
  const page = await at.ada.open(`/s/${session}`);
  const head = page.locator(".session-head");
  await head.getByText("Pausing after this step, as bo wants").waitFor();
  expect(await page.getByRole("button", { name: "Pause", exact: true }).count()).toBe(0);
  await page.getByRole("button", { name: "Do not pause" }).click();
  await head.getByText("Pausing after this step").waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Pause", exact: true }).waitFor();
  const { status, pausing } = await at.site.runtime.services.sessions.get(SYSTEM_ACTOR, session);
  expect([status, pausing ?? null]).toEqual(["awaiting_approval", null]);
  await page.getByRole("button", { name: "Approve" }).click();
  await reached(at.site, session, "completed");
});
