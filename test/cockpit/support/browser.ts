import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import chromium from "@sparticuz/chromium";
import { type Browser, chromium as playwright } from "playwright-core";

export interface OwnBrowser {
  readonly browser: Browser;
  close(): Promise<void>;
}

/** A real Chromium that came with npm, in a directory of its own: it takes whatever browser lies in a shared one. */
export async function openBrowser(): Promise<OwnBrowser> {
  const directory = mkdtempSync(join(tmpdir(), "fairlead-browser-"));
  const before = process.env["TMPDIR"];
  process.env["TMPDIR"] = directory;
  try {
    const executablePath = await chromium.executablePath();
    const browser = await playwright.launch({
      executablePath,
      headless: true,
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
    return {
      browser,
      async close() {
        await browser.close();
        rmSync(directory, { recursive: true, force: true, maxRetries: 3 });
      },
    };
  } finally {
    if (before === undefined) delete process.env["TMPDIR"];
    else process.env["TMPDIR"] = before;
  }
}
