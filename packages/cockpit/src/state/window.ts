import type { FrontendFrame } from "@fairlead/contract";
import { createTimeline, type Entry, type Timeline } from "@fairlead/contract/view";

/**
 * The part of a session that is on hand: frames without a gap, and the rows they make. Pure but for the timeline
 * that grows at its end.
 */
export interface Window {
  readonly frames: readonly FrontendFrame[];
  readonly entries: readonly Entry[];
  /** Nothing up to here is on hand; 0 when the session begins with the window. */
  readonly low: number;
  /** All up to here is. */
  readonly high: number;
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
  live: false,
  timeline: createTimeline(),
};

/** Folded anew: an earlier event can change any later row. */
function folded(window: Omit<Window, "entries" | "timeline">): Window {
  const timeline = createTimeline();
  return { ...window, timeline, entries: timeline.push(window.frames) };
}

export function windowOf(frames: readonly FrontendFrame[], low: number, high: number, live: boolean): Window {
  return folded({ frames, low, high, live });
}

/** What came after the end of a live window. */
export function appended(window: Window, frames: readonly FrontendFrame[]): Window {
  const fresh = frames.filter(({ seq }) => seq > window.high);
  const last = fresh.at(-1);
  if (last === undefined) return window;
  const all = [...window.frames, ...fresh];
  if (all.length <= MOST_FRAMES + SPARE_FRAMES)
    return { ...window, frames: all, high: last.seq, entries: window.timeline.push(fresh) };
  const kept = all.slice(-MOST_FRAMES);
  return folded({ frames: kept, low: kept[0]!.seq - 1, high: last.seq, live: window.live });
}

/** An older page before it. Too much at the other end is let go of, and the window is no longer live. */
export function withOlder(window: Window, older: readonly FrontendFrame[], low: number): Window {
  const all = [...older, ...window.frames];
  if (all.length <= MOST_FRAMES + SPARE_FRAMES) return folded({ ...window, frames: all, low });
  const kept = all.slice(0, MOST_FRAMES);
  return folded({ frames: kept, low, high: kept.at(-1)!.seq, live: false });
}

/** A newer page after it. */
export function withNewer(
  window: Window,
  newer: readonly FrontendFrame[],
  high: number,
  live: boolean,
): Window {
  const all = [...window.frames, ...newer];
  const kept = all.slice(-(MOST_FRAMES + SPARE_FRAMES));
  const low = kept.length === all.length ? window.low : kept[0]!.seq - 1;
  return folded({ frames: kept, low, high, live });
}
