import type { FrontendFrame } from "@fairlead/contract";
import { createTimeline, type Entry, type Timeline } from "@fairlead/contract/view";

/** What one answer brought: every frame after `low`, up to and with `high`. Answers can come in any order. */
export interface Page {
  readonly frames: readonly FrontendFrame[];
  readonly low: number;
  readonly high: number;
}

/**
 * The part of a session that is on hand, and the rows it makes. Pure but for the timeline that grows at its end.
 *
 * 1. It is one page: all frames after `low` up to `high`, each once, in order.
 * 2. What does not touch it is never joined to it: a hole cannot come to be, whatever is answered late.
 */
export interface Window extends Page {
  readonly entries: readonly Entry[];
  /** What the stream has brought us to. */
  readonly heard: number;
  /** It reaches the end, so what comes is added. */
  readonly live: boolean;
  readonly timeline: Timeline;
}

/** So much is kept; what is scrolled far away from is fetched again. */
export const MOST_FRAMES = 6_000;
const SPARE_FRAMES = 1_000;

export const EMPTY_WINDOW: Window = {
  frames: [],
  entries: [],
  low: 0,
  high: 0,
  heard: 0,
  live: false,
  timeline: createTimeline(),
};

/** Folded anew: an earlier event can change any later row. */
function folded({ frames, low, high }: Page, heard: number): Window {
  const timeline = createTimeline();
  return { frames, low, high, heard, live: high >= heard, timeline, entries: timeline.push(frames) };
}

/** The end of a session as it was when the stream begins there. */
export function begun(page: Page): Window {
  return folded(page, page.high);
}

/** Somewhere else in the session: only this page is on hand then. */
export function jumped(window: Window, page: Page): Window {
  return folded(page, window.heard);
}

/** A page beside what is there. One that does not touch it was asked for from another place, and is let go of. */
export function joined(window: Window, page: Page): Window {
  if (page.low > window.high || page.high < window.low) return window;
  const before = page.low < window.low ? page.frames.filter(({ seq }) => seq <= window.low) : [];
  const after = page.high > window.high ? page.frames.filter(({ seq }) => seq > window.high) : [];
  const low = Math.min(page.low, window.low);
  const high = Math.max(page.high, window.high);
  if (low === window.low && high === window.high) return window;
  if (low === window.low) return grown(window, after, high);
  const all = { frames: [...before, ...window.frames, ...after], low, high };
  // Who reads back lets go of the end.
  return folded(fitting(all, "start"), window.heard);
}

/** What came with the stream: all after what was heard before. Only a window that reaches the end takes it. */
export function followed(window: Window, frames: readonly FrontendFrame[]): Window {
  const last = frames.at(-1)?.seq ?? 0;
  if (last <= window.heard) return window;
  const page = { frames, low: window.heard, high: last };
  const next = window.live ? joined(window, page) : window;
  return { ...next, heard: last, live: next.high >= last };
}

function grown(window: Window, after: readonly FrontendFrame[], high: number): Window {
  const all = { frames: [...window.frames, ...after], low: window.low, high };
  const kept = fitting(all, "end");
  if (kept !== all) return folded(kept, window.heard);
  const entries = after.length === 0 ? window.entries : window.timeline.push(after);
  return { ...window, ...all, entries, live: high >= window.heard };
}

/** The same page, or as much as is kept, from one side of it. */
function fitting(page: Page, side: "start" | "end"): Page {
  const { frames } = page;
  if (frames.length <= MOST_FRAMES + SPARE_FRAMES) return page;
  if (side === "start") {
    const kept = frames.slice(0, MOST_FRAMES);
    return { frames: kept, low: page.low, high: kept.at(-1)!.seq };
  }
  const kept = frames.slice(-MOST_FRAMES);
  return { frames: kept, low: kept[0]!.seq - 1, high: page.high };
}
