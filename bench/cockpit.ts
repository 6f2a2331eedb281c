import type { SessionId } from "@fairlead/contract";
import type { Page } from "playwright-core";
import { openBrowser } from "../test/cockpit/support/browser.ts";
import { type PageSite, startPageSite } from "../test/cockpit/support/site.ts";
import { longSession } from "./cockpit/history.ts";
import { type Piece, textOf } from "./cockpit/text.ts";
import { droppedFrames, heapMb, longTasks } from "./cockpit/watch.ts";
import { median, round, table } from "./measure.ts";

const EVENTS = 100_000;
const SMALL = 1_000;
const ROUNDS = 7;
const SCROLL_MS = 6_000;
const STREAM_MS = 30_000;
const EVERY_MS = 25;

/** From the address to the last row on the screen. */
async function openMs(page: Page, url: string): Promise<number> {
  await page.goto("about:blank");
  const began = performance.now();
  await page.goto(url, { waitUntil: "commit" });
  await page.locator('[data-kind="end"]').last().waitFor();
  return performance.now() - began;
}

interface Streaming {
  /** The words that were written, in order, once the last is durable. */
  stop(): Promise<readonly string[]>;
}

/** Forty events a second, as a model streams: paragraphs, a table, a list and code. */
function stream(site: PageSite, session: SessionId): Streaming {
  const words: string[] = [];
  let written = Promise.resolve();
  const pieces = textOf(STREAM_MS / EVERY_MS);
  const timer = setInterval(() => {
    const { word, text } = pieces.next().value as Piece;
    if (word !== null) words.push(word);
    const data = { text, step: 1, attempt: 1 };
    written = written.then(() => site.append(session, [{ type: "agent.output.delta", data }]));
  }, EVERY_MS);
  return {
    async stop() {
      clearInterval(timer);
      await written;
      return words;
    },
  };
}

/** A page on which nothing arrives has no long tasks either: what was written must be there, each word once and in order. */
async function demandArrived(page: Page, words: readonly string[]): Promise<void> {
  const last = page.locator('[data-kind="text"]', { hasText: words.at(-1)! }).last();
  await last.waitFor();
  const shown = (await last.innerText()).match(/word\d+/g) ?? [];
  if (shown.join(" ") !== words.join(" "))
    throw new Error(`Of ${words.length} words that were streamed, the page shows ${shown.length}.`);
}

/** A long session beside a short one, and a page that streams beside one that does nothing. */
export async function cockpit(): Promise<Record<string, unknown>> {
  const [own, site] = await Promise.all([openBrowser(), startPageSite()]);
  try {
    const large = await longSession(site, EVENTS);
    const small = await longSession(site, SMALL);
    const { page } = await site.person(own.browser);
    const at = (session: SessionId): string => `${site.url}/s/${session}`;
    const times = { large: [] as number[], small: [] as number[] };
    for (let i = 0; i < ROUNDS; i++) {
      times.large.push(await openMs(page, at(large)));
      times.small.push(await openMs(page, at(small)));
    }
    await openMs(page, at(large));
    const dropped = await droppedFrames(page, SCROLL_MS);

    await page.goto(`${site.url}/new`);
    await page.getByRole("heading", { name: "New session" }).waitFor();
    const idle = await longTasks(page, STREAM_MS);

    await openMs(page, at(large));
    const watching = longTasks(page, STREAM_MS);
    const streaming = stream(site, large);
    const busy = await watching;
    await demandArrived(page, await streaming.stop());
    const heap = await heapMb(page);

    const result = {
      bench: "cockpit",
      events: EVENTS,
      open_ms: round(median(times.large)),
      open_ms_1k: round(median(times.small)),
      ratio: round(median(times.large) / median(times.small), 2),
      scroll_dropped_frames_pct: round(dropped, 1),
      heap_mb: round(heap, 1),
      stream_long_tasks: busy,
      empty_long_tasks: idle,
    };
    table(["measure", "value"], Object.entries(result));
    return result;
  } finally {
    await own.close();
    await site.close();
  }
}
