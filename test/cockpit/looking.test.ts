import { expect, test } from "vitest";
import { SYSTEM_ACTOR } from "../../packages/runtime/src/domain/actor.ts";
import { background } from "./support/background.ts";
import { desk } from "./support/desk.ts";

const at = desk({ rules: [{ do: [{ say: "The answer is 42." }] }] });

test("who may only look is not told that something needs them, and is offered nothing to begin", async () => {
  const session = await background(at.site, {
    task: "go",
    title: "Asks",
    policy: { health: { max_total_tokens: 1 } },
    until: "awaiting_approval",
  });
  const vera = await at.site.person(at.browser, { name: "vera", role: "viewer" });
  const page = await vera.open("/");
  await page.getByRole("heading", { name: "What goes on" }).waitFor();
  await page.getByRole("heading", { name: /Waits for an operator/ }).waitFor();
  // The raw name of what holds it to its budgets is no title.
  await page.locator(".inbox-row", { hasText: "Budget" }).waitFor();
  expect(await page.getByText("health_policy").count()).toBe(0);
  expect(await page.getByRole("navigation").getByText("waiting").count()).toBe(0);
  expect(await page.title()).not.toContain("(1)");
  expect(await page.getByRole("link", { name: "New" }).count()).toBe(0);
  await vera.open("/s");
  await page.locator(".session-item .chip", { hasText: "Waits for an operator" }).waitFor();
  expect(await page.getByText("Needs you").count()).toBe(0);
  expect(await page.getByRole("link", { name: "New session" }).count()).toBe(0);
  const asks = await at.ada.open(`/s/${session}`);
  await asks.locator(".session-head").getByText("Needs you").waitFor();
  await asks.getByText(/asks to go on: the next call may pass one/).waitFor();
  await vera.context.close();
});

test("what is done says what was answered, and all of it is marked as seen at once", async () => {
  const done: string[] = [];
  for (const title of ["One", "Two", "Three"]) {
    const session = await at.site.session(title);
    await at.site.runtime.services.turns.start(SYSTEM_ACTOR, session, { input: "what?" });
    await at.site.idle(session);
    done.push(session);
  }
  const eve = await at.site.person(at.browser, { name: "eve" });
  const page = await eve.open("/");
  await page.locator(`[data-key="${done[0]}"]`).getByText("The answer is 42.").waitFor();
  await page.getByRole("button", { name: "Mark all seen" }).click();
  await page.getByRole("heading", { name: /Done, not yet seen/ }).waitFor({ state: "detached" });
  const row = page.locator(`[data-key="${done[2]}"]`);
  // Seen, it is listed as the list of sessions has it.
  await row.locator(".chip", { hasText: "Done" }).waitFor();
  await eve.open("/s");
  await page.locator(".session-item", { hasText: "Three" }).locator(".chip", { hasText: "Done" }).waitFor();
  await eve.context.close();
});
