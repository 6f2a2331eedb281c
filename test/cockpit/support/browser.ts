import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import chromium from "@sparticuz/chromium";
import { type Browser, chromium as playwright } from "playwright-core";

export interface OwnBrowser {
  readonly browser: Browser;
  close(): Promise<void>;
}

/** A real Chromium that came with npm, in a directory of its own. */
export async function openBrowser(): Promise<OwnBrowser> {
  const directory = mkdtempSync(join(tmpdir(), "fairlead-browser-"));
  const browser = await launchBrowser(await unpackBrowser(directory), directory);
  return {
    browser,
    async close() {
      await browser.close();
      rmSync(directory, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}

/** Puts the program, over 200 MB, into this directory. What comes with npm takes whatever browser lies in a shared one. */
export function unpackBrowser(directory: string): Promise<string> {
  const before = process.env["TMPDIR"];
  process.env["TMPDIR"] = directory;
  try {
    // Where to is settled before it returns: nobody else meets the changed variable.
    return chromium.executablePath();
  } finally {
    if (before === undefined) delete process.env["TMPDIR"];
    else process.env["TMPDIR"] = before;
  }
}

/** `directory`: where it leaves what it keeps. */
export function launchBrowser(executablePath: string, directory: string): Promise<Browser> {
  return playwright.launch({
    executablePath,
    headless: true,
    // It lives as long as the worker, in which others test what signals do.
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
    env: { ...process.env, TMPDIR: directory, HOME: directory },
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-dev-shm-usage",
      "--disable-background-networking",
      "--disable-component-update",
      "--no-first-run",
      "--no-default-browser-check",
      "--headless=new",
    ],
  });
}
