import { cpSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { OwnBrowser } from "./support/browser.ts";
import { takeBrowser } from "./support/shared-browser.ts";
import { type ServerProcess, startProcess } from "./support/process.ts";
import { signedIn } from "./support/site.ts";

let own: OwnBrowser;
let server: ServerProcess;
const root = mkdtempSync(join(tmpdir(), "fairlead-restored-"));
const data = join(root, "data");
const kept = join(root, "kept");
const workspace = join(root, "workspace");
beforeAll(async () => {
  mkdirSync(workspace);
  [own, server] = await Promise.all([takeBrowser(), startProcess({ data, workspace })]);
});
afterAll(async () => {
  await own?.close();
  await server?.kill();
  rmSync(root, { recursive: true, force: true });
});

/** In the page: whoever is signed in makes a session. */
function made(title: string): Promise<number> {
  const headers = { "content-type": "application/json" };
  return fetch("/chat/sessions", { method: "POST", headers, body: JSON.stringify({ title }) }).then(
    ({ status }) => status,
  );
}

test("a store that was restored knows no such place: the inbox begins anew, and is told of what comes", async () => {
  const { page } = await signedIn(own.browser, server.url, server.link, { phone: false, dark: false });
  expect(await page.evaluate(made, "From before")).toBe(201);
  await page.getByText("From before").first().waitFor();
  const { port } = server;
  await server.kill();
  cpSync(data, kept, { recursive: true });

  server = await startProcess({ data, workspace, port });
  await expect.poll(() => page.evaluate(made, "Lost since").catch(() => 0), { timeout: 20_000 }).toBe(201);
  await page.getByText("Lost since").first().waitFor();
  await server.kill();
  rmSync(data, { recursive: true });
  cpSync(kept, data, { recursive: true });

  const refused = page.waitForResponse((answer) => answer.status() === 400, { timeout: 40_000 });
  server = await startProcess({ data, workspace, port });
  expect(await (await refused).json()).toMatchObject({ code: "invalid_cursor" });
  await page.getByText("Lost since").first().waitFor({ state: "detached" });
  await page.getByText("Reconnecting. What you see is as it was").first().waitFor({ state: "hidden" });
  expect(await page.evaluate(made, "From after")).toBe(201);
  await page.getByText("From after").first().waitFor();
}, 90_000);
