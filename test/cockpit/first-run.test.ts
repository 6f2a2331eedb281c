import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { desk } from "./support/desk.ts";
import { LINK_COMMAND } from "./support/site.ts";

const at = desk();

test("from the first look to the first approval, and to the end of the turn", async () => {
  const { page } = at.ada;
  await page.getByRole("heading", { name: "Welcome, ada" }).waitFor();
  await page.getByRole("button", { name: "Try the demo" }).click();

  const question = page.getByRole("region", { name: "write_file asks for a decision" });
  await question.waitFor();
  expect(new URL(page.url()).pathname).toMatch(/^\/s\/ses_/);
  expect(await question.innerText()).toContain("A note from the demo");
  await page.waitForFunction(() => document.title.startsWith("(1) "));
  expect(existsSync(join(at.site.workspace, "fairlead-demo.md"))).toBe(false);

  await question.getByRole("button", { name: "Approve" }).click();
  await question.getByText("Approved").first().waitFor();
  await page.getByText("Turn completed").first().waitFor();
  expect(readFileSync(join(at.site.workspace, "fairlead-demo.md"), "utf8")).toContain("A note from the demo");
  await page.waitForFunction(() => !document.title.startsWith("("));
  expect(at.ada.complaints).toEqual([]);
});

test("the timeline shows what was said, thought, called and decided, each once", async () => {
  const { page } = at.ada;
  await page.reload();
  await page.getByText("Turn completed").first().waitFor();
  await page.getByRole("region", { name: "Timeline" }).evaluate((element) => element.scrollTo(0, 0));
  await page.getByText("I am Fairlead's scripted model").waitFor();
  expect(await page.locator('[data-kind="said"]').count()).toBe(1);
  expect(await page.getByText("I am Fairlead's scripted model").count()).toBe(1);
  await page.getByText("list_files").first().waitFor();
});

test("what was looked at leaves the inbox", async () => {
  const { page } = at.ada;
  await page.getByRole("link", { name: "Inbox" }).click();
  await page.getByRole("heading", { name: "Nothing needs you" }).waitFor();
  await page.getByRole("heading", { name: "Idle 1" }).waitFor();
});

test("who is not signed in is told how, and comes back to the page they wanted", async () => {
  const context = await at.browser.newContext();
  const page = await context.newPage();
  await page.goto(`${at.site.url}/new`);
  await page.getByText("You are not signed in").waitFor();
  await page.goto(at.site.link("bob"));
  await page.getByRole("heading", { name: "New session" }).waitFor();
  expect(new URL(page.url()).pathname).toBe("/new");
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.getByText("You are not signed in").waitFor();
  await page.reload();
  await page.getByText("You are not signed in").waitFor();
  await context.close();
});

test("an address that is no page is not hidden by one", async () => {
  const nothing = await fetch(`${at.site.url}/s/a/b`);
  expect(nothing.status).toBe(404);
  expect(await nothing.json()).toMatchObject({ code: "not_found" });
  const api = await fetch(`${at.site.url}/sessions`);
  expect(api.status).toBe(401);
});

test("the page is small, packed, cached for good by its hash, and held to its policy", async () => {
  const document = await fetch(`${at.site.url}/s/ses_1`);
  const policy = document.headers.get("content-security-policy") ?? "";
  expect(policy).toContain("default-src 'none'");
  expect(policy).not.toContain("unsafe");
  const html = await document.text();
  const scripts = [...html.matchAll(/(?:src|href)="(\/assets\/[^"]+\.js)"/g)].map(([, path]) => path ?? "");
  expect(scripts.length).toBeGreaterThan(0);
  let bytes = 0;
  for (const path of scripts) {
    const head = await fetch(`${at.site.url}${path}`, {
      method: "HEAD",
      headers: { "accept-encoding": "gzip" },
    });
    expect(head.headers.get("content-encoding")).toBe("gzip");
    expect(head.headers.get("cache-control")).toContain("immutable");
    bytes += Number(head.headers.get("content-length"));
  }
  expect(bytes).toBeGreaterThan(10_000);
  expect(bytes).toBeLessThan(250_000);
  const etag = document.headers.get("etag") ?? "";
  const again = await fetch(`${at.site.url}/`, { headers: { "if-none-match": etag } });
  expect(again.status).toBe(304);
});

test("a link that is used up says so on the page that tells how to get another, by the command that works here", async () => {
  const link = at.site.link("cleo");
  const first = await at.browser.newContext();
  await (await first.newPage()).goto(link);
  await first.close();
  const context = await at.browser.newContext();
  const page = await context.newPage();
  const answer = await page.goto(link);
  expect(answer?.status()).toBe(401);
  await page.getByText("This link no longer works.").waitFor();
  await page.getByText(LINK_COMMAND, { exact: true }).waitFor();
  await page.getByRole("button", { name: "Copy" }).waitFor();
  // Where a dead link leads is no page to come back to.
  await page.goto(at.site.link("cleo"));
  await page.getByRole("navigation", { name: "Main" }).waitFor();
  expect(new URL(page.url()).pathname).toBe("/");
  await context.close();
});
