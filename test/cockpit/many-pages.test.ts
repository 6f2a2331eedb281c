import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { SYSTEM_ACTOR } from "../../packages/runtime/src/domain/actor.ts";
import { asked } from "./support/asked.ts";
import { desk } from "./support/desk.ts";

// More than the six connections that a browser has for a server.
const PAGES = 8;
const NUMBERS = Array.from({ length: PAGES }, (_, i) => i + 1);

const at = desk({
  rules: [
    {
      when: "write",
      rounds: [
        [{ call: "write_file", with: { path: "{{prompt}}.txt", content: "done" } }],
        [{ say: "It is written." }],
      ],
    },
    { do: [{ say: "Heard: {{prompt}}" }] },
  ],
});

async function openAll(sessions: readonly string[]): Promise<Page[]> {
  return await Promise.all(
    sessions.map(async (session) => {
      const page = await at.ada.context.newPage();
      await page.goto(`${at.site.url}/s/${session}`);
      return page;
    }),
  );
}

/** Says something in a session without the page's doing. */
async function say(session: string, input: string): Promise<void> {
  await at.site.runtime.services.turns.start(SYSTEM_ACTOR, session, { input });
}

const rows = (page: Page, text: string) =>
  page.locator('[data-kind="text"]').getByText(text, { exact: true });

test("eight pages of one browser are live, a decision gets through in each, and those left go on without a gap", async () => {
  const waiting = await Promise.all(NUMBERS.map((n) => asked(at.site, `Page ${n}`, `write ${n}`)));
  const sessions = waiting.map(({ session }) => session);
  const pages = await openAll(sessions);
  expect(await Promise.all(pages.map((page) => page.evaluate(() => document.hidden)))).not.toContain(true);
  for (const page of pages) {
    await page
      .getByRole("region", { name: /asks for a decision/ })
      .getByRole("button", { name: "Approve" })
      .click();
    await rows(page, "It is written.").waitFor();
  }

  // Whichever goes, it takes nothing from the others along.
  await pages.shift()!.close();
  const [, ...left] = sessions;
  for (const session of left) await at.site.idle(session);
  await Promise.all(left.map((session) => say(session, "once more")));
  for (const page of pages) await rows(page, "Heard: once more").waitFor();
  for (const page of pages) {
    expect(await rows(page, "It is written.").count()).toBe(1);
    expect(await rows(page, "Heard: once more").count()).toBe(1);
  }
  await Promise.all(pages.map((page) => page.close()));
});

test("where no socket can be opened, the stream comes as any other answer", async () => {
  const session = await at.site.session("No sockets");
  const page = await at.ada.context.newPage();
  await page.addInitScript(() => {
    const Real = WebSocket;
    window.WebSocket = class extends Real {
      constructor(url: string | URL) {
        // As a proxy that does not let it through.
        super(new URL("/sessions", url));
      }
    };
  });
  const plain = page.waitForResponse(/\/events\/stream/);
  await page.goto(`${at.site.url}/s/${session}`);
  expect((await plain).headers()["content-type"]).toContain("text/event-stream");
  await say(session, "hello");
  await rows(page, "Heard: hello").waitFor();
  await page.close();
});

test("a socket that is cut is opened again at the cursor: nothing is missed, and nothing comes twice", async () => {
  const session = await at.site.session("Cut");
  const page = await at.ada.context.newPage();
  const cursors: number[] = [];
  page.on("websocket", (socket) => {
    const { pathname, searchParams } = new URL(socket.url());
    if (pathname.includes(session)) cursors.push(Number(searchParams.get("after")));
  });
  await page.addInitScript(() => {
    const made: WebSocket[] = [];
    const Real = WebSocket;
    window.WebSocket = class extends Real {
      constructor(url: string | URL) {
        super(url);
        made.push(this);
      }
    };
    Object.assign(window, { cut: () => made.at(-1)?.close() });
  });
  const opened = page.waitForEvent("websocket", (socket) => socket.url().includes(session));
  await page.goto(`${at.site.url}/s/${session}`);
  await opened;
  await say(session, "one");
  await rows(page, "Heard: one").waitFor();
  await at.site.idle(session);
  await page.evaluate(() => (window as unknown as { cut: () => void }).cut());
  await say(session, "two");
  await rows(page, "Heard: two").waitFor();
  expect(await rows(page, "Heard: one").count()).toBe(1);
  expect(await rows(page, "Heard: two").count()).toBe(1);
  expect(cursors).toHaveLength(2);
  expect(cursors[1]).toBeGreaterThan(cursors[0]!);
  await page.close();
});
