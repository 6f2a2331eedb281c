import type { FrontendFrame } from "@fairlead/contract";
import { timelineOf } from "@fairlead/contract/view";
import fc from "fast-check";
import { expect, test } from "vitest";
import { begun, followed, joined, jumped, MOST_FRAMES, type Page, type Window } from "../src/state/window.ts";

const COUNT = 20_000;
/** Every seventh event has no frame: it is for no one to see. */
const ALL: readonly FrontendFrame[] = Array.from({ length: COUNT }, (_, index) => frameAt(index + 1)).filter(
  ({ seq }) => seq % 7 !== 0,
);

function frameAt(seq: number): FrontendFrame {
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
}

const between = (low: number, high: number): readonly FrontendFrame[] =>
  ALL.filter(({ seq }) => seq > low && seq <= high);
const page = (low: number, high: number): Page => ({ frames: between(low, high), low, high });

/** That it is exactly what it says it is. */
function whole({ frames, low, high, heard, live, entries }: Window): void {
  expect(frames).toEqual(between(low, high));
  expect(live).toBe(high >= heard);
  expect(entries).toEqual(timelineOf(frames));
}

test("older pages join what is there as if it had been read at once", () => {
  const older = joined(begun(page(900, 1000)), page(500, 900));
  expect(older).toMatchObject({ low: 500, high: 1000, live: true });
  whole(older);
});

test("what comes is added once, however often it is told, and rows that stay are the same objects", () => {
  const window = begun(page(0, 100));
  const grown = followed(window, between(90, 120));
  whole(grown);
  expect(grown.entries[0]).toBe(window.entries[0]);
  expect(followed(grown, between(100, 120))).toBe(grown);
});

test("a page that was asked for from another place is let go of", () => {
  const away = jumped(begun(page(900, 1000)), page(100, 200));
  expect(joined(away, page(500, 900))).toBe(away);
  expect(away.live).toBe(false);
  whole(away);
});

test("while somebody reads far back, what comes is heard and not joined to it", () => {
  const away = jumped(begun(page(900, 1000)), page(100, 200));
  const later = followed(away, between(1000, 1100));
  expect(later).toMatchObject({ low: 100, high: 200, heard: 1100, live: false });
  whole(later);
});

test("scrolled far up, the other end is let go of, and fetched again on the way down without a gap", () => {
  let window = begun(page(COUNT - 400, COUNT));
  while (window.low > 0) {
    window = joined(window, page(Math.max(0, window.low - 400), window.low));
    expect(window.frames.length).toBeLessThanOrEqual(MOST_FRAMES + 1_000);
  }
  expect(window.live).toBe(false);
  while (!window.live) window = joined(window, page(window.high, Math.min(COUNT, window.high + 400)));
  expect(window.high).toBe(COUNT);
  whole(window);
});

test("a session that never stops is held to a window, too", () => {
  let window = begun(page(0, 0));
  for (let high = 0; high < COUNT; high += 500) window = followed(window, between(high, high + 500));
  expect(window.frames.length).toBeLessThanOrEqual(MOST_FRAMES + 1_000);
  expect(window.high).toBe(COUNT);
  whole(window);
});

/** What a page can be asked for, with how far the session has come when the server answers. */
const ask = fc.record({
  kind: fc.constantFrom("older", "newer", "live", "seq"),
  at: fc.nat(1_000),
  /** The answer is read after so much more was written, and arrives after so many other things. */
  written: fc.nat(30),
  late: fc.nat(4),
});

test("in whatever order answers and news come, the window is contiguous, without doubles, and finds the end", () => {
  fc.assert(
    fc.property(fc.nat(300), fc.array(ask, { maxLength: 25 }), (start, asks) => {
      let head = start + 1;
      let window = begun(page(Math.max(0, head - 40), head));
      const waiting: { page: Page; joins: boolean; due: number }[] = [];
      const arrive = (round: number): void => {
        for (const answer of waiting.filter(({ due }) => due <= round)) {
          window = answer.joins ? joined(window, answer.page) : jumped(window, answer.page);
          waiting.splice(waiting.indexOf(answer), 1);
          whole(window);
        }
      };
      asks.forEach(({ kind, at, written, late }, round) => {
        const { low, high, heard } = window;
        head += written;
        const found =
          kind === "older"
            ? page(Math.max(0, low - 40), low)
            : kind === "newer"
              ? page(high, Math.max(high, Math.min(head, high + 40)))
              : kind === "live"
                ? page(Math.max(0, head - 40), head)
                : page(Math.min(at, head), Math.min(head, at + 40));
        waiting.push({ page: found, joins: kind === "older" || kind === "newer", due: round + late });
        // The stream is told of it at some time: here, before or after the answer.
        if (at % 2 === 0) window = followed(window, between(heard, head));
        whole(window);
        arrive(round);
      });
      arrive(Number.MAX_SAFE_INTEGER);
      window = followed(window, between(window.heard, head));
      for (let tries = 0; !window.live && tries < 100; tries++)
        window = joined(window, page(window.high, Math.min(head, window.high + 400)));
      expect(window.live).toBe(true);
      whole(window);
    }),
    { numRuns: 100 },
  );
});
