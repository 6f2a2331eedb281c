import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { background } from "./support/background.ts";
import { desk } from "./support/desk.ts";

const LONG = `It begins here.\n${"word ".repeat(300)}\nIt ends there.`;
const at = desk({
  rules: [{ when: "long", do: [{ say: LONG }] }, { do: [{ say: "Short answer." }] }],
});

const DIFF = `--- a/notes.md\n+++ b/notes.md\n@@ -1,60 +1,60 @@\n${Array.from({ length: 60 }, (_, i) => `-old ${i}\n+new ${i}`).join("\n")}\n`;
const made = (page: Page, name: RegExp) => page.getByRole("button", { name });
const panel = (page: Page) => page.getByRole("complementary", { name: "Details" });

async function opened(session: string): Promise<Page> {
  const page = await at.ada.open(`/s/${session}`);
  await panel(page)
    .getByRole("button", { name: /^Artifacts/ })
    .click();
  return page;
}

test("an artifact says how it begins, and all of it is read when somebody wants it", async () => {
  const session = await background(at.site, { task: "long", title: "Long answer", until: "completed" });
  const page = await opened(session);
  await made(page, /final output It begins here\./).click();
  const body = panel(page);
  await body.getByText("How it begins").waitFor();
  expect(await body.getByText(/It ends there/).count()).toBe(0);
  await body.getByRole("button", { name: "Show all of it" }).click();
  await body.getByText(/It ends there/).waitFor();
  expect(await body.getByText("How it begins").count()).toBe(0);
});

test("what is short is there at once", async () => {
  const session = await background(at.site, { task: "short", title: "Short", until: "completed" });
  const page = await opened(session);
  await made(page, /final output Short answer\./).click();
  await panel(page).locator("pre").getByText("Short answer.").waitFor();
  expect(await page.getByRole("button", { name: "Show all of it" }).count()).toBe(0);
});

test("a change that is too large for a list is shown by lines, also from a blob; scripts in it are text", async () => {
  const session = await at.site.session("Made by a tool");
  const hostile = `<img src=x onerror="window.hit=1">${"x".repeat(40_000)} and its end`;
  await at.site.append(session, [
    {
      type: "runtime.artifact.created",
      data: {
        artifact: {
          id: "chg",
          kind: "workspace_change",
          mime_type: "text/x-diff",
          summary: "1 file",
          content: DIFF,
        },
      },
    },
    {
      type: "runtime.artifact.created",
      data: { artifact: { id: "big", kind: "tool_result", content: hostile } },
    },
  ]);
  const page = await opened(session);
  await made(page, /workspace change 1 file/).click();
  await page.getByRole("button", { name: "Show all of it" }).click();
  await page.locator(".diff").getByText("new 59").waitFor();
  await made(page, /tool result/).click();
  await page.getByRole("button", { name: "Show all of it" }).click();
  await panel(page)
    .getByText(/and its end$/)
    .waitFor();
  expect(await page.evaluate(() => "hit" in window)).toBe(false);
});

test("where the whole cannot be read, that is said in its place", async () => {
  const session = await background(at.site, { task: "long", title: "Unread", until: "completed" });
  const page = await opened(session);
  await made(page, /final output/).click();
  await page.route("**/events?*face=runtime*", (route) => route.abort());
  await page.getByRole("button", { name: "Show all of it" }).click();
  await panel(page).getByText("The server does not answer.").waitFor();
  await page.unroute("**/events?*face=runtime*");
});
