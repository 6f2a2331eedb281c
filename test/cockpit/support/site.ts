import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { NewEvent, Role, SessionId } from "@fairlead/contract";
import { type Browser, type BrowserContext, type Page } from "playwright-core";
import { buildCockpit } from "../../../packages/cockpit/build.ts";
import {
  createRuntime,
  type Runtime,
  type RuntimeOptions,
} from "../../../packages/runtime/src/create-runtime.ts";
import { SYSTEM_ACTOR } from "../../../packages/runtime/src/domain/actor.ts";
import { scriptedModel } from "../../../packages/runtime/src/models/scripted.ts";
import type { Script } from "../../../packages/runtime/src/models/script.ts";
import { createServer, type FairleadServer } from "../../../packages/runtime/src/server/app.ts";
import { tokenAuthenticator } from "../../../packages/runtime/src/server/auth/authenticator.ts";
import { loadCockpit } from "../../../packages/runtime/src/server/cockpit/load.ts";
import { until } from "./until.ts";

export interface PageSite {
  readonly url: string;
  readonly runtime: Runtime;
  readonly workspace: string;
  /** Signs a browser in, once. */
  link(name: string, role?: Role): string;
  /** A browser of its own, signed in. Whatever its pages complain of is kept in `complaints`. */
  person(browser: Browser, options?: PersonOptions): Promise<Person>;
  session(title?: string): Promise<SessionId>;
  append(session: SessionId, events: readonly NewEvent[]): Promise<void>;
  /** Waits until the session has no open turn. */
  idle(session: string): Promise<void>;
  close(): Promise<void>;
}

export interface PersonOptions {
  readonly name?: string;
  readonly role?: Role;
  readonly phone?: boolean;
  readonly dark?: boolean;
}

export interface Person {
  readonly context: BrowserContext;
  readonly page: Page;
  readonly complaints: string[];
  open(path: string): Promise<Page>;
}

/** With all that could break out of where it stands. */
export const LINK_COMMAND = `node 'a & b"/main.ts' link --data <here>`;

const SILENT = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

/** The real server on SQLite, with the built page and a scripted model, in a new directory or in `place`. It is removed at the end. */
export async function startPageSite(
  script?: Script,
  place?: string,
  budgets: NonNullable<RuntimeOptions["budgets"]> = {},
): Promise<PageSite> {
  const directory = mkdtempSync(join(tmpdir(), "fairlead-cockpit-"));
  const workspace = place ?? mkdtempSync(join(tmpdir(), "fairlead-workspace-"));
  const cockpit = loadCockpit(await buildCockpit());
  const runtime = await createRuntime({
    store: { sqlite: directory },
    // Where background work gets places of its own.
    env: { XDG_STATE_HOME: join(directory, "state") },
    sealKey: Buffer.alloc(32, 7),
    models: [scriptedModel(script === undefined ? {} : { script })],
    workspace,
    budgets,
  });
  await runtime.start();
  const server: FairleadServer = createServer({
    runtime,
    auth: tokenAuthenticator(runtime.services.tokens),
    config: { host: "127.0.0.1", port: 0, version: "0.0.0-test", linkCommand: LINK_COMMAND },
    logger: SILENT,
    cockpit,
  });
  const { url } = await server.listen();

  return {
    url,
    runtime,
    workspace,
    link: (name, role = "operator") => server.signInLink({ name, role, project: null }).url,
    async person(browser, { name = "ada", role = "operator", phone = false, dark = false } = {}) {
      const { url: link } = server.signInLink({ name, role, project: null });
      return signedIn(browser, url, link, { phone, dark });
    },
    session: async (title = "A session") =>
      (await runtime.services.sessions.create(SYSTEM_ACTOR, { title })).session_id,
    async append(stream, events) {
      const done = await runtime.log.append({ writes: [{ stream, events }] });
      if (!done.ok) throw new Error(done.refusal.message);
    },
    idle: (session) =>
      until(async () => {
        const { turn_id } = await runtime.services.sessions.get(SYSTEM_ACTOR, session);
        return turn_id === null ? true : undefined;
      }).then(() => {}),
    async close() {
      await server.close();
      await runtime.stop();
      rmSync(directory, { recursive: true, force: true });
      rmSync(workspace, { recursive: true, force: true });
    },
  };
}

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 };
const DESK = { viewport: { width: 1440, height: 900 } };

/** Follows a sign-in link in a browser of its own. */
export async function signedIn(
  browser: Browser,
  url: string,
  link: string,
  { phone, dark }: { phone: boolean; dark: boolean },
): Promise<Person> {
  const context = await browser.newContext({
    ...(phone ? PHONE : DESK),
    colorScheme: dark ? "dark" : "light",
    reducedMotion: "reduce",
    locale: "en-GB",
    timezoneId: "UTC",
  });
  // Less than a test has: what did not come is named.
  context.setDefaultTimeout(15_000);
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on("console", (message) => {
    // The browser itself writes down each answer that is no success, and each cut, also those a page expects.
    const own = /^(Failed to load resource|WebSocket connection to )/.test(message.text());
    if (message.type() === "error" && !own) complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("request", (request) => {
    if (!request.url().startsWith(url) && !request.url().startsWith("data:"))
      complaints.push(`asked elsewhere: ${request.url()}`);
  });
  await page.goto(link);
  await page.getByRole("navigation", { name: "Main" }).waitFor();
  return {
    context,
    page,
    complaints,
    async open(path) {
      await page.goto(`${url}${path}`);
      return page;
    },
  };
}
