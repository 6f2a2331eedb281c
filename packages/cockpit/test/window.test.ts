import type { FrontendFrame } from "@fairlead/contract";
import { timelineOf } from "@fairlead/contract/view";
import { expect, test } from "vitest";
import { appended, MOST_FRAMES, windowOf, withNewer, withOlder } from "../src/state/window.ts";

const COUNT = 20_000;
const ALL: readonly FrontendFrame[] = Array.from({ length: COUNT }, (_, index) => {
  const seq = index + 1;
  const of = {
    id: `evt_${seq}`,
    seq,
    session_id: "ses_1",
    at: "2026-01-01T00:00:00.000Z",
    tier: "default",
  } as const;
  return seq % 10 === 0
    ? { ...of, type: "response", payload: { text: `text ${seq}`, step: 1 } }
    : { ...of, type: "token", payload: { text: ".", step: 1 } };
});
const between = (low: number, high: number): readonly FrontendFrame[] => ALL.slice(low, high);

test("older pages join what is there as if it had been read at once", () => {
  const window = windowOf(between(900, 1000), 900, 1000, true);
  const older = withOlder(window, between(500, 900), 500);
  expect(older.entries).toEqual(timelineOf(between(500, 1000)));
  expect(older).toMatchObject({ low: 500, high: 1000, live: true });
});

test("what comes is added once, however often it is told, and rows that stay are the same objects", () => {
  const window = windowOf(between(0, 100), 0, 100, true);
  const grown = appended(window, between(90, 120));
  expect(grown.entries).toEqual(timelineOf(between(0, 120)));
  expect(grown.entries[0]).toBe(window.entries[0]);
  expect(appended(grown, between(100, 120))).toBe(grown);
});

test("scrolled far up, the other end is let go of, and fetched again on the way down without a gap", () => {
  let window = windowOf(between(COUNT - 400, COUNT), COUNT - 400, COUNT, true);
  for (let low = COUNT - 400; low > 0;) {
    const next = Math.max(0, low - 400);
    window = withOlder(window, between(next, low), next);
    low = next;
    expect(window.frames.length).toBeLessThanOrEqual(MOST_FRAMES + 1_000);
  }
  expect(window).toMatchObject({ low: 0, live: false });
  while (!window.live) {
    const high = Math.min(COUNT, window.high + 400);
    window = withNewer(window, between(window.high, high), high, high === COUNT);
    const seqs = window.frames.map(({ seq }) => seq);
    expect(seqs.at(-1)! - seqs[0]! + 1).toBe(seqs.length);
    expect(seqs[0]).toBe(window.low + 1);
  }
  expect(window.high).toBe(COUNT);
});

test("a session that never stops is held to a window, too", () => {
  let window = windowOf([], 0, 0, true);
  for (let high = 0; high < COUNT; high += 500) window = appended(window, between(high, high + 500));
  expect(window.frames.length).toBeLessThanOrEqual(MOST_FRAMES + 1_000);
  expect(window.frames[0]?.seq).toBe(window.low + 1);
  expect(window.high).toBe(COUNT);
});
