// `npm run shots`: a picture of each page, light and dark, phone and desktop, into docs/screens or the directory that is
// named. Real server, real browser.
import { mkdirSync, realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { SYSTEM_ACTOR } from "../packages/runtime/src/domain/actor.ts";
import { background } from "../test/cockpit/support/background.ts";
import { openBrowser } from "../test/cockpit/support/browser.ts";
import { type PageSite, startPageSite } from "../test/cockpit/support/site.ts";
import { until } from "../test/cockpit/support/until.ts";

const OUT = process.argv[2] ?? join(import.meta.dirname, "../docs/screens");
const ASK = "What can you do?";

interface Places {
  readonly waiting: string;
  readonly done: string;
  readonly branch: string;
  readonly request: string;
}

const ADA = { ...SYSTEM_ACTOR, name: "ada" };

/** A few sessions as they are in daily use, each in a directory of its own, so that what it would write is new there. */
async function daily(site: PageSite): Promise<Places> {
  const { sessions, turns, questions, branches } = site.runtime.services;
  function directory(name: string): string {
    const path = join(realpathSync(site.workspace), name);
    mkdirSync(path);
    return path;
  }
  async function begun(title: string, name: string): Promise<{ session: string; request: string }> {
    const { session_id } = await sessions.create(ADA, { title, workspace: directory(name) });
    await turns.start(ADA, session_id, { input: ASK });
    const request = await until(async () => {
      const { rows } = await questions.list(ADA, { state: "pending", session_id });
      return rows[0]?.request_id;
    });
    return { session: session_id, request };
  }
  const done = await begun("Tidy up the release notes", "website");
  await questions.decide(ADA, done.request, { decision: "approved", scope: { kind: "session" } });
  await site.idle(done.session);
  const branch = await branches.branch(ADA, done.session, {
    title: "Release notes, shorter",
    permission_mode: "plan",
  });
  await turns.start(ADA, branch.session_id, { input: "Make them shorter" });
  await site.idle(branch.session_id);
  const denied = await begun("Move the old drafts", "drafts");
  await questions.decide(ADA, denied.request, { decision: "denied", note: "Keep them where they are." });
  await site.idle(denied.session);
  await background(site, {
    task: ASK,
    title: "Prepare the migration",
    permission_mode: "full_access",
    requires: [{ kind: "command", command: "npm test" }],
    until: "needs_review",
  });
  await background(site, {
    task: ASK,
    title: "Update the dependencies",
    policy: { health: { max_total_tokens: 10, action: "pause" } },
    until: "paused",
  });
  const waiting = await begun("Write a note for the demo", "shop");
  return {
    waiting: waiting.session,
    done: done.session,
    branch: branch.session_id,
    request: waiting.request,
  };
}

const shown = (page: Page, text: string | RegExp) => page.getByText(text).first().waitFor();

interface Shot<At> {
  readonly path: (at: At) => string;
  readonly ready: (page: Page) => Promise<void>;
}

/** Before anything was started: who opens the page for the first time. */
const FIRST: Readonly<Record<string, Shot<null>>> = {
  "first-run": { path: () => "/", ready: (page) => shown(page, "Try the demo") },
  "sign-in": {
    path: () => "/",
    async ready(page) {
      await page.context().clearCookies();
      await page.reload();
      await shown(page, "You are not signed in");
    },
  },
};

const SHOTS: Readonly<Record<string, Shot<Places>>> = {
  inbox: { path: () => "/", ready: (page) => shown(page, "What needs you now") },
  session: {
    path: ({ waiting }) => `/s/${waiting}`,
    ready: (page) => page.locator(".prose code").first().waitFor(),
  },
  debug: {
    path: ({ done }) => `/s/${done}`,
    async ready(page) {
      await shown(page, "Turn completed");
      await page.getByRole("button", { name: /Debug/ }).click();
      await page.locator('[data-kind="raw"]').first().waitFor();
    },
  },
  question: { path: ({ request }) => `/a/${request}`, ready: (page) => shown(page, "Approve") },
  sessions: { path: () => "/s", ready: (page) => shown(page, "Release notes, shorter") },
  approvals: { path: () => "/a", ready: (page) => shown(page, "Keep them where they are.") },
  compare: {
    path: ({ done, branch }) => `/s/${branch}/compare/${done}`,
    ready: (page) => shown(page, /They share everything/),
  },
  new: { path: () => "/new", ready: (page) => shown(page, "What should be done?") },
};

mkdirSync(OUT, { recursive: true });
// A name that reads well; if it is taken, nothing of it is touched.
const place = join(tmpdir(), "acme");
mkdirSync(place);
const site = await startPageSite(undefined, place);
const own = await openBrowser();

/** Each of them for each kind of screen. */
async function take<At>(shots: Readonly<Record<string, Shot<At>>>, at: At): Promise<void> {
  for (const phone of [false, true]) {
    for (const dark of [false, true]) {
      const { page, context } = await site.person(own.browser, { name: "ada", role: "admin", phone, dark });
      for (const [name, { path, ready }] of Object.entries(shots)) {
        await page.goto(`${site.url}${path(at)}`);
        await ready(page);
        await page.evaluate(() => document.fonts.ready);
        const file = `${name}-${phone ? "phone" : "desktop"}-${dark ? "dark" : "light"}.png`;
        await page.screenshot({ path: join(OUT, file), animations: "disabled" });
        console.log(file);
        if (name === "debug") await page.getByRole("button", { name: /Debug/ }).click();
      }
      await context.close();
    }
  }
}

try {
  await take(FIRST, null);
  await take(SHOTS, await daily(site));
} finally {
  await own.close();
  await site.close();
}
process.exit();
