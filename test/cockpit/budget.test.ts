import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { SYSTEM_ACTOR } from "../../packages/runtime/src/domain/actor.ts";
import { background, reached } from "./support/background.ts";
import { desk } from "./support/desk.ts";
import { openMore } from "./support/menu.ts";

const at = desk({ rules: [{ do: [{ say: "All done." }] }] });

const dialog = (page: Page) => page.getByRole("dialog", { name: "Limits and modes" });
const paused = (title: string) =>
  background(at.site, {
    task: "go",
    title,
    policy: { health: { max_total_tokens: 1, action: "pause" } },
    until: "paused",
  });
const policyOf = async (session: string) => {
  const { state } = await at.site.runtime.services.sessions.get(SYSTEM_ACTOR, session);
  return (state?.metadata as { policy?: { health?: unknown } } | undefined)?.policy?.health;
};

test("paused by a budget: one row says what was done; the limit is raised there, and it goes on", async () => {
  const session = await paused("Spent");
  const page = await at.ada.open(`/s/${session}`);
  const row = page.locator('[data-kind="enforced"]');
  await row.getByText("A budget is used up: the session was paused").waitFor();
  await row.getByText(/Tokens: 0 of 1 used, and the next call may take \d+ more/).waitFor();
  await row.getByText(/It waits where it is .* Raise the limit/).waitFor();
  expect(await page.locator(".timeline").getByText("Paused", { exact: true }).count()).toBe(0);

  await row.getByRole("button", { name: "Limits and modes" }).click();
  await dialog(page).getByLabel("Most tokens").fill("plenty");
  await dialog(page).getByText("Write a number, such as 10.").waitFor();
  expect(await dialog(page).getByRole("button", { name: "Save", exact: true }).isDisabled()).toBe(true);
  expect(await policyOf(session)).toMatchObject({ max_total_tokens: 1 });

  await dialog(page).getByLabel("Most tokens").fill("500000");
  await dialog(page).getByRole("button", { name: "Save and resume" }).click();
  await page.getByText("All done.").first().waitFor();
  expect(await policyOf(session)).toMatchObject({ max_total_tokens: 500_000, action: "pause" });
  await reached(at.site, session, "completed");
  await row.getByText("It has gone on since.").waitFor();
  expect(await row.getByRole("button").filter({ hasText: "Resume" }).count()).toBe(0);
});

test("resumed as it is, it has as much again", async () => {
  const session = await paused("As much again");
  const page = await at.ada.open(`/s/${session}`);
  await page.getByRole("button", { name: "Resume with as much again" }).click();
  await page.getByText("All done.").first().waitFor();
});

test("asked about a budget, the question says which limit, and has no standing yes", async () => {
  const session = await background(at.site, {
    task: "go",
    title: "Asks",
    policy: { health: { max_total_tokens: 1 } },
    until: "awaiting_approval",
  });
  const page = await at.ada.open(`/s/${session}`);
  const card = page.getByRole("region", { name: /asks for a decision/ });
  await card.getByText(/Tokens: \d+ of 1 used/).waitFor();
  expect(await card.getByText("Allow for").count()).toBe(0);
  expect(await page.locator('[data-kind="enforced"]').count()).toBe(0);
  await card.getByRole("button", { name: "Approve" }).click();
  await page.getByText("All done.").first().waitFor();
});

test("asked about a budget, whoever takes the limit away has answered: the question is withdrawn, and other limits stay", async () => {
  const session = await background(at.site, {
    task: "go",
    title: "Moved",
    policy: { health: { max_total_tokens: 1, max_failed_tool_calls: 3 } },
    until: "awaiting_approval",
  });
  const page = await at.ada.open(`/s/${session}`);
  await page.getByRole("region", { name: /asks for a decision/ }).waitFor();
  await openMore(page);
  await page.getByRole("button", { name: "Limits and modes" }).first().click();
  await dialog(page).getByLabel("Most tokens").fill("");
  await dialog(page).getByRole("button", { name: "Save", exact: true }).click();
  await dialog(page).waitFor({ state: "detached" });
  await page.getByText("All done.").first().waitFor();
  const card = page.getByRole("region", { name: /asks for a decision/ });
  await card.getByText("The limit was set anew.").waitFor();
  await card.getByText("Withdrawn", { exact: true }).waitFor();
  expect(await card.getByRole("button", { name: "Approve" }).count()).toBe(0);
  expect(await policyOf(session)).toEqual({ max_failed_tool_calls: 3, action: "approval_request" });

  await page.goto(`${at.site.url}/a`);
  const past = page.locator(".session-item", { hasText: "Moved" });
  await past.getByText("Withdrawn", { exact: true }).waitFor();
  await past.click();
  await page.getByText("This was withdrawn: what it asked about holds no more.").waitFor();
  await page.getByText("Withdrawn", { exact: true }).waitFor();
  expect(await page.getByText("Expired").count()).toBe(0);
});

test("a chat that has used up its budget is given more where that is said", async () => {
  const { session_id } = await at.site.runtime.services.sessions.create(SYSTEM_ACTOR, {
    title: "Spent chat",
    policy: { health: { max_total_tokens: 1, action: "pause" } },
  });
  const page = await at.ada.open(`/s/${session_id}`);
  const say = async (text: string) => {
    await page.getByRole("textbox", { name: /Say something/ }).fill(text);
    await page.keyboard.press("Enter");
  };
  await say("go");
  await page
    .getByText(/what its policy allows: .* tokens/)
    .first()
    .waitFor();
  await openMore(page);
  await page.getByRole("button", { name: "Limits and modes" }).first().click();
  await dialog(page).getByLabel("Most tokens").fill("500000");
  await dialog(page).getByRole("button", { name: "Save", exact: true }).click();
  await dialog(page).waitFor({ state: "detached" });
  await say("again");
  await page.getByText("All done.").first().waitFor();
});

test("modes are changed from the page, and the head says so", async () => {
  const session = await at.site.session("Modes");
  const page = await at.ada.open(`/s/${session}`);
  await openMore(page);
  await page.getByRole("button", { name: "Limits and modes" }).first().click();
  await dialog(page).getByLabel("What it may do by itself").selectOption("plan");
  await dialog(page).getByLabel("What it asks").selectOption("always");
  await dialog(page).getByRole("button", { name: "Save", exact: true }).click();
  await dialog(page).waitFor({ state: "detached" });
  await page.locator(".head-facts").getByText("plan").waitFor();
  await page.locator(".head-facts").getByText("always").waitFor();
});

test("what the server refuses is said in words, and the dialog keeps what was typed", async () => {
  const session = await paused("Refused");
  const page = await at.ada.open(`/s/${session}`);
  await openMore(page);
  await page.getByRole("button", { name: "Limits and modes" }).first().click();
  await dialog(page).getByLabel("Most tokens").fill("7");
  await at.site.runtime.services.kernel.cancel(SYSTEM_ACTOR, session);
  await dialog(page).getByRole("button", { name: "Save", exact: true }).click();
  await dialog(page).getByText("The session has ended: it is cancelled.").waitFor();
  expect(await dialog(page).getByLabel("Most tokens").inputValue()).toBe("7");
  await page.keyboard.press("Escape");
  await dialog(page).waitFor({ state: "detached" });
});

test("who only looks is not offered to change anything", async () => {
  const session = await paused("Looked at");
  const viewer = await at.site.person(at.browser, { name: "vera", role: "viewer" });
  const page = await viewer.open(`/s/${session}`);
  await page.locator('[data-kind="enforced"]').waitFor();
  expect(await page.getByRole("button", { name: "Limits and modes" }).count()).toBe(0);
  expect(await page.getByRole("button", { name: /Resume/ }).count()).toBe(0);
  await viewer.context.close();
});
