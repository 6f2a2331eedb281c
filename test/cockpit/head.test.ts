import { afterAll, beforeAll, expect, test } from "vitest";
import { SYSTEM_ACTOR } from "../../packages/runtime/src/domain/actor.ts";
import { background } from "./support/background.ts";
import { openMore } from "./support/menu.ts";
import type { OwnBrowser } from "./support/browser.ts";
import { takeBrowser } from "./support/shared-browser.ts";
import { type PageSite, type Person, startPageSite } from "./support/site.ts";

let own: OwnBrowser;
let site: PageSite;
let ada: Person;
let phone: Person;
beforeAll(async () => {
  [own, site] = await Promise.all([takeBrowser(), startPageSite({ rules: [{ do: [{ say: "Done." }] }] })]);
  ada = await site.person(own.browser);
  phone = await site.person(own.browser, { phone: true });
});
afterAll(async () => {
  expect([...(ada?.complaints ?? []), ...(phone?.complaints ?? [])]).toEqual([]);
  await own?.close();
  await site?.close();
});

const HELD = { health: { max_total_tokens: 1, max_failed_tool_calls: 5 } };

test("everything that tells how a session stands is in its head, on a desk and on a phone", async () => {
  const session = await background(site, {
    task: "go",
    title: "Held",
    policy: HELD,
    until: "awaiting_approval",
  });
  for (const person of [ada, phone]) {
    const page = await person.open(`/s/${session}`);
    const head = page.locator(".session-head");
    await head.getByText("Needs you").waitFor();
    for (const text of ["scripted", "normal", "on request", "waiting", "budget", "Memory", "Audit"])
      await head.getByText(text, { exact: false }).first().waitFor();
    await head.getByText(/Health \d+/).waitFor();
    await head.getByText("Decide what is asked").waitFor();
    // What is used, and apart from it what the next call would take.
    await head.getByText("0 of 1", { exact: true }).waitFor();
    await head.getByText(/the next call: up to \d+/).waitFor();
    expect(await head.getByRole("progressbar", { name: "Failed calls" }).count()).toBe(1);
    // It stays while the timeline is scrolled, and leaves most of the screen to it.
    await page.getByRole("region", { name: "Timeline" }).evaluate((element) => element.scrollTo(0, 0));
    const [box, screen] = [await head.boundingBox(), page.viewportSize()];
    expect(box?.y).toBeGreaterThanOrEqual(0);
    expect(box!.height).toBeLessThan(screen!.height * 0.3);
    expect(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)).toBe(false);
  }
});

test("audit rows and where memory came from are one click away, and Escape closes them", async () => {
  const session = await background(site, { task: "go", policy: HELD, until: "awaiting_approval" });
  for (const person of [ada, phone]) {
    const page = await person.open(`/s/${session}`);
    await page.getByRole("button", { name: /^Audit [1-9]/ }).click();
    const audit = page.getByRole("region", { name: "What was done, and by whom" });
    await audit.getByText(/A limit was reached A person was asked: The session has reached/).waitFor();
    expect(await audit.getByText(/approval_request/).count()).toBe(0);
    await audit.getByRole("link", { name: "The question" }).first().waitFor();
    const box = await audit.boundingBox();
    expect(box!.x).toBeGreaterThanOrEqual(0);
    expect(box!.x + box!.width).toBeLessThanOrEqual(page.viewportSize()!.width);
    await page.keyboard.press("Escape");
    await audit.waitFor({ state: "hidden" });
    await page.getByRole("button", { name: /^Memory 0/ }).click();
    await page.getByText("Nothing was remembered from elsewhere.").first().waitFor();
    await page.keyboard.press("Escape");
  }
});

test("a score is shown with what it is made of", async () => {
  const session = await background(site, { task: "go", title: "Sick", until: "completed" });
  const page = await ada.open(`/s/${session}`);
  const head = page.locator(".session-head");
  await head.getByText("Health 100").waitFor();
  await site.append(session, [
    {
      type: "runtime.health.snapshot",
      data: {
        session_id: session,
        score: 60,
        score_parts: { state: 0, failures: -25, loop: -15 },
        flags: ["degraded"],
        recovery_hint: "Calls keep failing: read their errors, then steer it.",
        memory_provenance: [{ source: "memory", subject: "<img src=x onerror=alert(1)>", facts: 3 }],
      },
    },
  ]);
  await head.getByText("Health 60").waitFor();
  await head.getByText("failures −25").waitFor();
  await head.getByText("loop −15").waitFor();
  await head.getByText("Calls keep failing").waitFor();
  await page.getByRole("button", { name: "Memory 1" }).click();
  await page.getByRole("region", { name: "Where memory came from" }).getByText("<img src=x").waitFor();
});

test("a supervised session shows what it has, and nothing empty", async () => {
  const session = await site.session("Foreign");
  await site.append(session, [
    { type: "runtime.session.state", data: { session_id: session, status: "running", kind: "supervised" } },
  ]);
  const page = await ada.open(`/s/${session}`);
  const head = page.locator(".session-head");
  await head.getByText("Working").waitFor();
  expect(await head.getByRole("progressbar").count()).toBe(0);
  expect(await page.getByRole("textbox", { name: /Say something/ }).count()).toBe(0);
  const empty = head.locator(".head-facts > *, .head-health > *").filter({ hasText: /^\s*$/, visible: true });
  expect(await empty.count()).toBe(0);
});

/** Work that has every button there is. */
const reviewed = () =>
  background(site, {
    task: "go",
    title: "Work that somebody has to look at",
    requires: [{ kind: "command", command: "npm test" }],
    until: "needs_review",
  });

test("however wide the page is, the title can be read and every button pressed", async () => {
  const session = await reviewed();
  const page = await ada.open(`/s/${session}`);
  const head = page.locator(".session-head");
  await head.getByRole("button", { name: "Accept" }).waitFor();
  const screen = page.viewportSize()!;
  for (const width of [320, 400, 769, 900, 1024, 1152, 1280]) {
    await page.setViewportSize({ width, height: 900 });
    const title = await head.getByRole("heading", { level: 1 }).boundingBox();
    expect([width, title!.width >= 150]).toEqual([width, true]);
    const inside = await head.locator("button").evaluateAll((buttons) => {
      const { left, right } = document.querySelector(".session-main")!.getBoundingClientRect();
      return buttons
        .map((button) => button.getBoundingClientRect())
        .filter(({ width: w }) => w > 0)
        .map((box) => box.left >= left && box.right <= right + 0.5);
    });
    expect([width, inside.includes(false), inside.length > 4]).toEqual([width, false, true]);
  }
  await page.setViewportSize(screen);
});

test("whatever state it is in, the head of background work is as high, and its buttons are on one line", async () => {
  const session = await background(site, { task: "go", title: "Steady", until: "completed" });
  const { state } = await site.runtime.services.sessions.get(SYSTEM_ACTOR, session);
  const page = await ada.open(`/s/${session}`);
  const screen = page.viewportSize()!;
  await page.setViewportSize({ width: 1280, height: 800 });
  const head = page.locator(".session-head");
  const heights = new Set<number>();
  for (const [status, word] of [
    ["running", "Working"],
    ["paused", "Paused"],
    ["awaiting_approval", "Needs you"],
    ["needs_review", "Needs review"],
    ["failed", "Failed"],
  ] as const) {
    await site.append(session, [{ type: "runtime.session.state", data: { ...state!, status } }]);
    await head.getByText(word).waitFor();
    heights.add((await head.boundingBox())!.height);
    const tops = await head
      .locator(".head-actions > button")
      .evaluateAll((buttons) => buttons.map((button) => button.getBoundingClientRect().top));
    expect([status, new Set(tops).size]).toEqual([status, 1]);
  }
  await site.append(session, [
    { type: "runtime.session.state", data: { ...state!, status: "running" } },
    {
      type: "runtime.session.pausing",
      data: { session_id: session, actor: "bo", reason: "I want to look." },
    },
  ]);
  await head.getByText("Pausing after this step, as bo wants").waitFor();
  heights.add((await head.boundingBox())!.height);
  expect([...heights].map((height) => height < 140)).toEqual([true]);
  await page.setViewportSize(screen);
});

test("a hint is a line for people: no id, and no place that is not there", async () => {
  const session = await background(site, { task: "go", title: "Asked below", until: "completed" });
  const page = await ada.open(`/s/${session}`);
  await page.locator(".session-head").getByText("Health 100").waitFor();
  await site.append(session, [
    {
      type: "runtime.health.snapshot",
      data: {
        session_id: session,
        score: 100,
        flags: ["waiting"],
        recovery_hint:
          "A sub-agent waits for a person: subagent_1.1 asks about write_file (apr_01m7hzxnh9x0). Decide it: `GET /approvals?session_id=x`.",
      },
    },
  ]);
  const hint = page.locator(".head-hint");
  await hint.getByText(/subagent_1.1 asks about write_file\. Decide it: it is right below\./).waitFor();
  expect(await page.getByText(/apr_01m7hzxnh9x0/).count()).toBe(0);
});

test("on a phone the main act has its word, and what is rare is in a menu", async () => {
  const session = await reviewed();
  const page = await phone.open(`/s/${session}`);
  const accept = page.getByRole("button", { name: "Accept" });
  await accept.waitFor();
  expect((await accept.boundingBox())!.width).toBeGreaterThan(80);
  await openMore(page);
  for (const name of ["Limits and modes", "Cancel"])
    await page.getByRole("button", { name, exact: true }).waitFor();
  await page.keyboard.press("Escape");
  expect(await page.locator(".session-head").getByText("Debug on").count()).toBe(0);
  await page.getByRole("button", { name: /^Debug/ }).click();
  await page.locator(".head-facts").getByText("Debug on").waitFor();
  await page.getByRole("button", { name: /^Debug/ }).click();
});

test("at 400 % and on a phone that lies on its side, the timeline has height and all can be scrolled to", async () => {
  const session = await reviewed();
  const page = await ada.open(`/s/${session}`);
  const screen = page.viewportSize()!;
  for (const [width, height] of [
    [320, 256],
    [844, 390],
  ] as const) {
    await page.setViewportSize({ width, height });
    await page.getByText("Done.", { exact: true }).first().waitFor();
    const timeline = await page.getByRole("region", { name: "Timeline" }).boundingBox();
    expect([width, timeline!.height >= 150]).toEqual([width, true]);
    for (const part of [page.locator(".session-head h1"), page.locator("#composer-text")]) {
      await part.scrollIntoViewIfNeeded();
      const box = (await part.boundingBox())!;
      expect([width, box.y >= 0 && box.y + box.height <= height]).toEqual([width, true]);
    }
    expect(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)).toBe(false);
  }
  await page.setViewportSize(screen);
});

const LONG = {
  title: `A title that goes on ${"and on ".repeat(30)}to its end`,
  model: `a-provider/${"with-a-very-long-model-name-".repeat(4)}128k`,
  workspace: `/srv/projects/${"a-very-long-directory-name/".repeat(6)}here`,
};

test("titles, models and paths of any length leave the head its place, and can be read in whole", async () => {
  const session = await background(site, { task: "go", title: "Long", until: "completed" });
  const { state } = await site.runtime.services.sessions.get(SYSTEM_ACTOR, session);
  await site.append(session, [{ type: "runtime.session.state", data: { ...state!, ...LONG } }]);
  for (const person of [ada, phone]) {
    const page = await person.open(`/s/${session}`);
    const head = page.locator(".session-head");
    await head.getByText("Done").waitFor();
    const box = (await head.boundingBox())!;
    expect(box.height).toBeLessThan(page.viewportSize()!.height * 0.35);
    expect(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)).toBe(false);
    expect(await head.getByTitle(LONG.model).count()).toBe(1);
    if ((await page.locator(".panels").count()) === 0)
      await head.getByRole("button", { name: "Details" }).click();
    const panels = page.locator(".panels");
    await panels.getByRole("button", { name: /^About/ }).click();
    for (const text of Object.values(LONG)) await panels.getByText(text).waitFor();
    await panels.getByText(/Nothing yet of: .*sub-agents/).waitFor();
    expect(await panels.evaluate(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth)).toBe(true);
  }
});
