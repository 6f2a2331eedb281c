// `npm run shots`: a picture of each page, light and dark, phone and desktop, into docs/screens. Real server, real browser.
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { SYSTEM_ACTOR } from "../packages/runtime/src/domain/actor.ts";
import { openBrowser } from "../test/cockpit/support/browser.ts";
import { type PageSite, startPageSite } from "../test/cockpit/support/site.ts";
import { until } from "../test/cockpit/support/until.ts";

const OUT = join(import.meta.dirname, "../docs/screens");
const ASK = "What can you do?";

interface Places {
  readonly waiting: string;
  readonly done: string;
  readonly branch: string;
  readonly request: string;
}

/** A few sessions as they are in daily use: one waits, one is done, one was branched from it. */
async function daily(site: PageSite): Promise<Places> {
  const { sessions, turns, questions, branches } = site.runtime.services;
  async function begun(title: string): Promise<{ session: string; request: string }> {
    const { session_id } = await sessions.create(SYSTEM_ACTOR, { title });
    await turns.start(SYSTEM_ACTOR, session_id, { input: ASK });
    const request = await until(async () => {
      const { rows } = await questions.list(SYSTEM_ACTOR, { state: "pending", session_id });
      return rows[0]?.request_id;
    });
    return { session: session_id, request };
  }
  const done = await begun("Tidy up the release notes");
  await questions.decide(SYSTEM_ACTOR, done.request, { decision: "approved", scope: { kind: "session" } });
  await site.idle(done.session);
  const branch = await branches.branch(SYSTEM_ACTOR, done.session, { title: "Release notes, shorter" });
  await turns.start(SYSTEM_ACTOR, branch.session_id, { input: "Make them shorter" });
  await site.idle(branch.session_id);
  const denied = await begun("Move the old drafts");
  await questions.decide(SYSTEM_ACTOR, denied.request, {
    decision: "denied",
    note: "Keep them where they are.",
  });
  await site.idle(denied.session);
  rmSync(join(site.workspace, "fairlead-demo.md"), { force: true });
  const waiting = await begun("What can you do?");
  return {
    waiting: waiting.session,
    done: done.session,
    branch: branch.session_id,
    request: waiting.request,
  };
}

const shown = (page: Page, text: string | RegExp) => page.getByText(text).first().waitFor();

const SHOTS: Readonly<
  Record<string, { path: (at: Places) => string; ready: (page: Page) => Promise<void> }>
> = {
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
const [own, site] = await Promise.all([openBrowser(), startPageSite()]);
try {
  const at = await daily(site);
  for (const phone of [false, true]) {
    for (const dark of [false, true]) {
      const { page, context } = await site.person(own.browser, { name: "ada", role: "admin", phone, dark });
      for (const [name, { path, ready }] of Object.entries(SHOTS)) {
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
} finally {
  await own.close();
  await site.close();
}
process.exit();
