import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { OwnBrowser } from "./support/browser.ts";
import { takeBrowser } from "./support/shared-browser.ts";
import { type ServerProcess, startProcess } from "./support/process.ts";
import { signedIn } from "./support/site.ts";

let own: OwnBrowser;
let server: ServerProcess;
const data = join(mkdtempSync(join(tmpdir(), "fairlead-restart-")), "data");
const workspace = mkdtempSync(join(tmpdir(), "fairlead-restart-ws-"));
beforeAll(async () => {
  [own, server] = await Promise.all([takeBrowser(), startProcess({ data, workspace })]);
});
afterAll(async () => {
  await own?.close();
  await server?.kill();
  for (const directory of [join(data, ".."), workspace]) rmSync(directory, { recursive: true, force: true });
});

/** Every row of the timeline that can be reached, by its place. */
async function seqs(page: Page): Promise<readonly number[]> {
  const found = new Set<number>();
  let doubled = 0;
  const timeline = page.getByRole("region", { name: "Timeline" });
  for (let at = 0; ; at += 300) {
    const { rows, end } = await timeline.evaluate((element, top) => {
      element.scrollTo(0, top);
      return new Promise<{ rows: number[]; end: boolean }>((resolve) => {
        requestAnimationFrame(() =>
          requestAnimationFrame(() =>
            resolve({
              rows: [...element.querySelectorAll<HTMLElement>("[data-seq]")].map(({ dataset }) =>
                Number(dataset["seq"]),
              ),
              end: top >= element.scrollHeight,
            }),
          ),
        );
      });
    }, at);
    if (new Set(rows).size !== rows.length) doubled += 1;
    for (const seq of rows) found.add(seq);
    if (end) break;
  }
  expect(doubled).toBe(0);
  return [...found].toSorted((a, b) => a - b);
}

test("killed in the middle of an answer and started again: the page goes on, nothing lost, nothing doubled", async () => {
  const ada = await signedIn(own.browser, server.url, server.link, { phone: false, dark: false });
  const { page } = ada;
  await page.getByRole("button", { name: "Try the demo" }).click();
  await page.getByText("I am Fairlead's scripted model").waitFor();
  await server.kill();
  await page.getByText("Reconnecting. What you see is as it was").first().waitFor();
  expect(await page.getByText("I am Fairlead's scripted model").count()).toBeGreaterThan(0);

  server = await startProcess({ data, workspace, port: server.port });
  const question = page.getByRole("region", { name: "write_file asks for a decision" });
  await question.waitFor({ timeout: 40_000 });
  await page.getByText("Reconnecting. What you see is as it was").first().waitFor({ state: "hidden" });
  await question.getByRole("button", { name: "Approve" }).click();
  // Said aloud, too.
  await page.getByText("Turn completed").first().waitFor({ timeout: 40_000 });

  const shown = await seqs(page);
  await page.reload();
  await page.getByText("Turn completed").first().waitFor();
  expect(await seqs(page)).toEqual(shown);
  expect(await page.locator('[data-kind="said"]').count()).toBeLessThanOrEqual(1);
}, 90_000);
