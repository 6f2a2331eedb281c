import { existsSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { inject } from "vitest";
import { launchBrowser, type OwnBrowser, unpackBrowser } from "./browser.ts";

declare module "vitest" {
  export interface ProvidedContext {
    /** For the browsers of this run; goes with it. */
    readonly browserDirectory: string;
  }
}

let taken: Browser | undefined;

/**
 * The one browser of this worker, which has one file at a time. People in it are strangers to each other, as in browsers of
 * their own. Closing it leaves it to the next file, without anybody in it.
 */
export async function takeBrowser(): Promise<OwnBrowser> {
  // One that has crashed is not taken again.
  if (taken?.isConnected() !== true) taken = await launch();
  const browser = taken;
  return {
    browser,
    async close() {
      await Promise.all(browser.contexts().map((context) => context.close()));
    },
  };
}

async function launch(): Promise<Browser> {
  const all = inject("browserDirectory");
  return launchBrowser(await unpacked(all), mkdtempSync(join(all, "home-")));
}

/** Whole or not at all: another worker may be at it too. */
async function unpacked(all: string): Promise<string> {
  const place = join(all, "unpacked");
  if (!existsSync(place)) {
    const own = mkdtempSync(join(all, "unpacking-"));
    await unpackBrowser(own);
    try {
      renameSync(own, place);
    } catch (error) {
      if (!existsSync(place)) throw error;
      rmSync(own, { recursive: true, force: true });
    }
  }
  // It has the programs already, and only says where.
  return unpackBrowser(place);
}
