import axe from "axe-core";
import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { background } from "./support/background.ts";
import { SYSTEM_ACTOR } from "../../packages/runtime/src/domain/actor.ts";
import { desk } from "./support/desk.ts";

const at = desk();
let session: string;
let request: string;
let held: string;
let branch: string;
beforeAll(async () => {
  const ada = await at.site.person(at.browser);
  await ada.page.getByRole("button", { name: "Try the demo" }).click();
  const question = ada.page.getByRole("region", { name: "write_file asks for a decision" });
  await question.waitFor();
  request = (await question.getAttribute("data-request")) ?? "";
  session = new URL(ada.page.url()).pathname.slice("/s/".length);
  branch = (await at.site.runtime.services.branches.branch(SYSTEM_ACTOR, session, {})).session_id;
  await ada.context.close();
  const policy = { health: { max_total_tokens: 1, action: "pause" as const } };
  held = await background(at.site, { task: "go", title: "Held", policy, until: "paused" });
});

interface Finding {
  readonly id: string;
  readonly impact: string;
  readonly nodes: readonly { readonly target: readonly string[]; readonly failureSummary: string }[];
}

/** What axe finds that keeps somebody from using the page. Run beside the page's own policy, which allows no such script. */
async function findings(page: Page): Promise<readonly string[]> {
  const client = await page.context().newCDPSession(page);
  await client.send("Runtime.evaluate", { expression: axe.source });
  const { result } = await client.send("Runtime.evaluate", {
    expression: `axe.run(document, { runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"] }).then((found) => JSON.stringify(found.violations))`,
    awaitPromise: true,
    returnByValue: true,
  });
  return (JSON.parse(result.value as string) as Finding[])
    .filter(({ id, impact }) => impact === "serious" || impact === "critical" || id === "heading-order")
    .map(
      ({ id, nodes }) =>
        `${id}: ${nodes.map(({ target, failureSummary }) => `${target.join(" ")} ${failureSummary}`).join(" | ")}`,
    );
}

interface Shown {
  readonly path: () => string;
  /** Brings the page to where it is looked at. */
  readonly ready?: (page: Page) => Promise<void>;
}

const asked = (page: Page) => page.getByRole("region", { name: /asks for a decision/ }).waitFor();

const PAGES: Readonly<Record<string, Shown>> = {
  inbox: { path: () => "/" },
  "inbox, deciding": {
    path: () => "/",
    async ready(page) {
      await page.getByRole("button", { name: "Approve…" }).click();
      await asked(page);
    },
  },
  session: { path: () => `/s/${session}`, ready: asked },
  "session, debug tier": {
    path: () => `/s/${session}`,
    async ready(page) {
      await page.getByRole("button", { name: /Debug/ }).first().click();
      await page.locator('[data-kind="raw"]').first().waitFor();
    },
  },
  "session, held by a budget": {
    path: () => `/s/${held}`,
    async ready(page) {
      await page.locator('[data-kind="enforced"]').waitFor();
      await page.getByRole("button", { name: /^Audit/ }).click();
      await page.getByRole("region", { name: "What was done, and by whom" }).waitFor();
    },
  },
  "limits and modes": {
    path: () => `/s/${held}`,
    async ready(page) {
      await page.locator('[data-kind="enforced"]').getByRole("button", { name: "Limits and modes" }).click();
      await page.getByRole("dialog").getByLabel("Most tokens").fill("plenty");
    },
  },
  question: { path: () => `/a/${request}`, ready: asked },
  sessions: { path: () => "/s" },
  "sessions, none found": {
    path: () => "/s?search=nothing-like-it&sort=cost",
    ready: (page) => page.getByRole("heading", { name: "Nothing fits" }).waitFor(),
  },
  approvals: {
    path: () => "/a",
    ready: (page) => page.locator(".session-item").first().waitFor(),
  },
  start: {
    path: () => "/new",
    async ready(page) {
      await page.getByText("Advanced budgets").click();
      await page.getByLabel("Most tokens").fill("many");
    },
  },
  compare: {
    path: () => `/s/${branch}/compare/${session}`,
    ready: (page) => page.getByText(/They share everything up to event/).waitFor(),
  },
  palette: {
    path: () => "/s",
    async ready(page) {
      await page.keyboard.press("Control+k");
      await page.getByRole("dialog", { name: "Commands" }).getByRole("option").first().waitFor();
    },
  },
  keyboard: {
    path: () => "/s",
    async ready(page) {
      await page.keyboard.press("?");
      await page.getByRole("dialog", { name: "Keyboard" }).waitFor();
    },
  },
};

test.each([
  { phone: false, dark: false },
  { phone: false, dark: true },
  { phone: true, dark: false },
  { phone: true, dark: true },
])(
  "axe finds nothing serious on any page (phone: $phone, dark: $dark)",
  async (looks) => {
    const person = await at.site.person(at.browser, looks);
    const found: Record<string, readonly string[]> = {};
    for (const [name, { path, ready }] of Object.entries(PAGES)) {
      const page = await person.open(path());
      await page.getByRole("heading", { level: 1 }).first().waitFor();
      await ready?.(page);
      found[name] = await findings(page);
      // The next page begins in the tier that people see.
      await page.evaluate(() => localStorage.removeItem("fairlead.debug"));
    }
    expect(found).toEqual(Object.fromEntries(Object.keys(PAGES).map((name) => [name, []])));
    await person.context.close();
  },
  60_000,
);

test("headings of a text go on from those of the page, and each row says which of how many it is", async () => {
  const texts = ["#### Deep at first\n\n# Then not", "Text", "## Again\n\n###### And deep"];
  const made = await at.site.session("Headings");
  await at.site.append(
    made,
    texts.map((text) => ({ type: "agent.output.completed", data: { text, step: 1 } })),
  );
  const { page, context } = await at.site.person(at.browser);
  await page.goto(`${at.site.url}/s/${made}`);
  await page.getByRole("heading", { name: "And deep", level: 4 }).waitFor();
  expect(await findings(page)).toEqual([]);
  const rows = page.getByRole("region", { name: "Timeline" }).locator(".timeline-row");
  const places = await rows.evaluateAll((found) =>
    found.map((row) => [row.getAttribute("aria-posinset"), row.getAttribute("aria-setsize")]),
  );
  expect(places).toEqual(texts.map((_, index) => [String(index + 1), String(texts.length)]));
  await context.close();
});

test("the menu of a phone, too", async () => {
  const { page, context } = await at.site.person(at.browser, { phone: true });
  await page.getByRole("button", { name: "More" }).click();
  await page.getByRole("dialog", { name: "More" }).waitFor();
  expect(await findings(page)).toEqual([]);
  await context.close();
});

test("without a sign-in, too", async () => {
  const context = await at.browser.newContext();
  const page = await context.newPage();
  await page.goto(`${at.site.url}/`);
  await page.getByText("You are not signed in").waitFor();
  expect(await findings(page)).toEqual([]);
  await context.close();
});

test("everything can be reached by Tab, the first of it leads past the navigation, and focus shows", async () => {
  const { page, context } = await at.site.person(at.browser);
  await page.goto(`${at.site.url}/s`);
  await page.getByRole("heading", { name: "Sessions" }).waitFor();
  await page.keyboard.press("Tab");
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe("Skip to the content");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Tab");
  const within = await page.evaluate(() => document.querySelector("main")?.contains(document.activeElement));
  expect(within).toBe(true);
  const outline = await page.evaluate(() => getComputedStyle(document.activeElement!).outlineStyle);
  expect(outline).not.toBe("none");
  await context.close();
});
