import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { SYSTEM_ACTOR } from "../../packages/runtime/src/domain/actor.ts";
import { desk } from "./support/desk.ts";
import { until } from "./support/until.ts";

const SCRIPT = {
  rules: [
    {
      when: "write",
      rounds: [
        [{ call: "write_file", with: { path: "{{prompt}}.txt", content: "as asked" } }],
        [{ say: "Done." }],
      ],
    },
    { when: "break", do: [{ fail: "The model is out.", status: 401 }] },
    { do: [{ say: "Done." }] },
  ],
};

const MANY = 70;
const at = desk(SCRIPT);
beforeAll(async () => {
  for (let i = 0; i < MANY; i++) await at.site.session(`${i % 10 === 0 ? "Nightly" : "Daily"} run ${i}`);
});

const items = (page: Page) => page.locator(".session-item");
const services = () => at.site.runtime.services;

async function asks(title: string): Promise<string> {
  const session = await at.site.session(title);
  await services().turns.start(SYSTEM_ACTOR, session, { input: `write-${session}` });
  await until(async () => {
    const { rows } = await services().questions.list(SYSTEM_ACTOR, { state: "pending", session_id: session });
    return rows[0];
  });
  return session;
}

async function ends(session: string, ...statuses: readonly string[]): Promise<void> {
  await until(async () => {
    const { status } = await services().sessions.get(SYSTEM_ACTOR, session);
    return statuses.includes(status) ? true : undefined;
  });
}

test("sessions are searched, filtered and sorted by the server, and the address carries it", async () => {
  const waiting = await asks("Wants a file");
  const page = await at.ada.open("/s");
  await items(page).first().waitFor();
  expect(await items(page).count()).toBe(50);
  await page.getByRole("button", { name: "Show more" }).click();
  await page.waitForFunction((all) => document.querySelectorAll(".session-item").length === all, MANY + 1);

  await page.getByLabel("Search sessions").fill("NIGHTLY run");
  await page.waitForFunction(() => document.querySelectorAll(".session-item").length === 7);
  expect(new URL(page.url()).search).toBe("?search=NIGHTLY+run");
  await page.reload();
  await page.waitForFunction(() => document.querySelectorAll(".session-item").length === 7);
  expect(await page.getByLabel("Search sessions").inputValue()).toBe("NIGHTLY run");

  await page.getByLabel("Search sessions").fill("no such session");
  await page.getByRole("heading", { name: "Nothing fits" }).waitFor();
  await page.getByRole("link", { name: "Show all sessions" }).click();
  await page.getByRole("button", { name: "Needs me" }).click();
  await page.waitForFunction(() => document.querySelectorAll(".session-item").length === 1);
  expect(await items(page).first().getAttribute("href")).toBe(`/s/${waiting}`);
  await page.getByRole("button", { name: "Needs me" }).click();
  await page.getByLabel("Sort by").selectOption("created");
  await page.waitForFunction(() => location.search === "?sort=created");
  await page.getByLabel("Kind").selectOption("supervised");
  await page.getByRole("heading", { name: "Nothing fits" }).waitFor();
});

test("a row of the inbox is decided by mouse, after it was shown", async () => {
  const session = await asks("By mouse");
  const page = await at.ada.open("/");
  const row = page.locator("li", { has: page.getByText("By mouse") });
  await row.getByRole("button", { name: "Approve…" }).click();
  const card = row.getByRole("region", { name: "write_file asks for a decision" });
  await card.getByText("as asked").first().waitFor();
  await card.getByRole("button", { name: "Approve", exact: true }).click();
  await ends(session, "idle");
  expect(readFileSync(join(at.site.workspace, `write-${session}.txt`), "utf8")).toBe("as asked");
});

test("what failed is resumed, what owes proof is accepted, what is done is seen: each in its row", async () => {
  const failed = (await services().kernel.start(SYSTEM_ACTOR, { task: "break it", max_retries: 0 }))
    .session_id;
  await ends(failed, "failed");
  const review = (
    await services().kernel.start(SYSTEM_ACTOR, {
      task: "hello",
      title: "Owes proof",
      requires: [{ kind: "file", path: "never.txt" }],
    })
  ).session_id;
  await ends(review, "needs_review");
  const done = await at.site.session("Is done");
  await services().turns.start(SYSTEM_ACTOR, done, { input: "hello" });
  await at.site.idle(done);

  const page = await at.ada.open("/");
  const row = (title: string) => page.locator("li", { has: page.getByText(title, { exact: true }) });
  await row("Owes proof").getByRole("button", { name: "Accept…" }).click();
  await page.getByRole("button", { name: "It is good" }).waitFor();
  // One press lets nothing through.
  expect((await services().sessions.get(SYSTEM_ACTOR, review)).status).toBe("needs_review");
  await page.getByRole("button", { name: "It is good" }).click();
  await ends(review, "completed");
  await row("Is done").getByRole("button", { name: "Mark seen" }).click();
  await page.getByRole("heading", { name: /^Done, not yet seen/ }).waitFor();
  const seen = await until(async () => {
    const { entries } = await services().inbox.read({ ...SYSTEM_ACTOR, name: "ada" });
    return entries.find(({ session_id, group }) => session_id === done && group === "idle");
  });
  expect(seen.seen).toBe(true);
  await row("break it").getByRole("button", { name: "Resume" }).click();
  // Taken up again, and failed again: by the same model.
  await until(async () => {
    const events = await at.site.runtime.log.read(failed, { types: ["runtime.session.resuming"] });
    return events.events[0];
  });
  expect(at.ada.complaints).toEqual([]);
});

test("what a viewer may not do is not offered", async () => {
  const session = await asks("Not yours");
  const viewer = await at.site.person(at.browser, { name: "vera", role: "viewer" });
  const page = await viewer.open("/");
  const row = page.locator("li", { has: page.getByText("Not yours") });
  await row.first().waitFor();
  expect(await row.getByRole("button").count()).toBe(0);
  await viewer.context.close();
  await services().turns.cancel(SYSTEM_ACTOR, session);
});
