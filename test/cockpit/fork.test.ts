import { expect, test } from "vitest";
import { SYSTEM_ACTOR } from "../../packages/runtime/src/domain/actor.ts";
import { desk } from "./support/desk.ts";

const at = desk({ rules: [{ do: [{ say: "Done." }] }] });

test("a branch is made with another mode, other rules of asking and other instructions, and compared in words", async () => {
  const { sessions, turns } = at.site.runtime.services;
  const session = await at.site.session("As it was");
  await turns.start(SYSTEM_ACTOR, session, { input: "hello" });
  await at.site.idle(session);
  const ada = await at.site.person(at.browser);
  const page = await ada.open(`/s/${session}`);
  await page.getByText("Turn completed").first().waitFor();
  await page
    .locator('[data-kind="end"]')
    .getByRole("button", { name: /Branch here/ })
    .click();
  await page.getByText("Change how it works").click();
  const isCut = await page
    .locator(".popover:popover-open")
    .evaluate((box) => box.scrollWidth > box.clientWidth || box.getBoundingClientRect().bottom > innerHeight);
  expect(isCut).toBe(false);
  await page.getByLabel("What it may do by itself").selectOption("plan");
  await page.getByLabel("What it asks").selectOption("never");
  await page.getByLabel("What it is told before anything else").fill("Speak like a sailor.");
  await page.getByRole("button", { name: "Branch", exact: true }).click();
  await page.waitForURL((url) => !url.pathname.endsWith(session));
  const branch = new URL(page.url()).pathname.split("/").at(-1)!;
  expect((await sessions.get(SYSTEM_ACTOR, branch)).state).toMatchObject({
    permission_mode: "plan",
    approval_mode: "never",
    instructions: "Speak like a sailor.",
  });
  expect((await sessions.get(SYSTEM_ACTOR, session)).state).toMatchObject({ permission_mode: "normal" });

  await page.goto(`${at.site.url}/s/${branch}/compare/${session}`);
  await page.getByText(/They share everything up to event/).waitFor();
  const said = await page.getByRole("main").innerText();
  expect(said).toContain("Plan: reads only");
  // Words for people: no names of events, no JSON.
  expect(said).not.toMatch(/runtime\.|session_state|[{}]|HTTP|GET |POST /);
  expect(ada.complaints).toEqual([]);
});
