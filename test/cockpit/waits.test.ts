import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { SYSTEM_ACTOR } from "../../packages/runtime/src/domain/actor.ts";
import { background, reached } from "./support/background.ts";
import { desk } from "./support/desk.ts";

/** Used by one call, all of them. What is given to a project later, it has at once. */
const budgets = {
  projects: { work: { tokens: 20_000 }, below: { tokens: 20_000 }, hold: { tokens: 20_000 } },
};
const used = { usage: { input_tokens: 20_000, output_tokens: 0 } };
const LOOK = { call: "list_files", with: { path: "." } };
const SCRIPT = {
  rules: [
    { when: "Delegate", rounds: [[{ call: "delegate", with: { task: "Dig." } }], [{ say: "Dug." }]] },
    { when: "Dig", rounds: [[used, LOOK], [{ say: "Deep." }]] },
    { rounds: [[used, LOOK], [{ say: "Worked." }]] },
  ],
};

const at = desk(SCRIPT as never, {}, budgets);
const MIDNIGHT = /\d\d\/\d\d\/\d{4}, 00:00:00/;
const UNTIL = new RegExp(`Waits until ${MIDNIGHT.source}`);
const head = (page: Page) => page.locator(".session-head");
const button = (page: Page, name: string) => head(page).getByRole("button", { name, exact: true });
const line = (page: Page, title: string) =>
  page.locator("li", { has: page.getByText(title, { exact: true }) });

test("work whose budget of the day is used says until when it waits, and is tried when somebody wants it", async () => {
  const session = await background(at.site, { task: "Work.", title: "Until tomorrow", project: "work" });
  const page = await at.ada.open(`/s/${session}`);
  await head(page).getByText(UNTIL).waitFor();
  await head(page)
    .getByText(new RegExp(`by itself at ${MIDNIGHT.source}; Resume tries it now`))
    .waitFor();
  expect(await page.getByRole("button", { name: "Resume with this" }).count()).toBe(1);

  await page.goto(`${at.site.url}/`);
  const row = line(page, "Until tomorrow");
  await row
    .getByText(new RegExp(`may use today is used. It goes on by itself at ${MIDNIGHT.source}`))
    .waitFor();
  budgets.projects.work.tokens = 500_000;
  await row.getByRole("button", { name: "Resume" }).click();
  await reached(at.site, session, "completed");
  await row.getByText("Worked.").waitFor();
});

test("work whose sub-agent waits for tomorrow says so, and both are tried with one word", async () => {
  const session = await background(at.site, { task: "Delegate.", title: "Waits below", project: "below" });
  const page = await at.ada.open("/");
  const row = line(page, "Waits below");
  await row.getByText(/What it delegated waits\. .*used\. It goes on by itself at/).waitFor();
  await row.getByRole("link").click();
  await head(page).getByText(UNTIL).waitFor();
  await head(page).getByText("Working").waitFor();
  const tree = page.locator(".agent-tree");
  await tree.getByText(new RegExp(`waits until ${MIDNIGHT.source}`)).waitFor();
  await tree.getByTitle("waits for a time").waitFor();
  await page
    .locator(".timeline")
    .getByText(/^Sub-agent \S+ waits for a time$/)
    .waitFor();

  budgets.projects.below.tokens = 500_000;
  await button(page, "Resume").click();
  await reached(at.site, session, "completed");
  await page.getByText("Dug.").first().waitFor();
  await head(page).getByText(UNTIL).waitFor({ state: "detached" });
  expect(await button(page, "Resume").count()).toBe(0);
});

test("work that waits can be paused too, and a viewer is told until when and offered nothing", async () => {
  const session = await background(at.site, { task: "Hold.", title: "Held", project: "hold" });
  const page = await at.ada.open(`/s/${session}`);
  await head(page).getByText(UNTIL).waitFor();
  const vera = await at.site.person(at.browser, { name: "vera", role: "viewer" });
  await vera.open(`/s/${session}`);
  await head(vera.page).getByText(UNTIL).waitFor();
  expect(await button(vera.page, "Resume").count()).toBe(0);
  await vera.context.close();

  const bo = await at.site.person(at.browser, { name: "bo", phone: true });
  await bo.open(`/s/${session}`);
  await button(bo.page, "Resume").waitFor();
  await bo.context.close();

  await button(page, "Pause").click();
  await reached(at.site, session, "paused");
  await head(page).getByText(UNTIL).waitFor({ state: "detached" });
  const { state } = await at.site.runtime.services.sessions.get(SYSTEM_ACTOR, session);
  expect(state?.resume_context).toMatchObject({ paused_by: "ada" });
});
