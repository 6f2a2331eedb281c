import { isFinal } from "./final.ts";

/**
 * What a follower of a log does next, without doing it. The shell performs one order at a time and
 * reports what came of it; each report gives what to deliver and the next order. Invariants:
 * 1. What is delivered has strictly increasing cursors, so nothing is delivered twice.
 * 2. On a contiguous stream the cursor moves over a number only when its frame was delivered, the
 *    server said that it is not for this reader, or a page without it was read: nothing is missed.
 * 3. An error that asking again cannot mend ends it; every other one is waited out.
 */
export interface State<F> {
  /** All up to here was delivered or is not for us. `UNTOLD` until the server says where its end is. */
  readonly cursor: number;
  /** One stream, unfiltered: numbers follow each other, and a jump is worth a question. */
  readonly contiguous: boolean;
  /** Tries since the last sign of life. */
  readonly failures: number;
  /** The server's own idea of how soon to come back. */
  readonly retryMs: number;
  /** Arrived after a jump; delivered when what lies between was read. */
  readonly held: Item<F> | null;
}

export interface Item<F> {
  /** The cursor after this frame. Null for what is told to this reader only. */
  readonly at: number | null;
  /** Set on a `gap`: the first number that is gone; `at` is the last. */
  readonly from?: number;
  readonly frame: F;
}

export type Order =
  | { readonly do: "connect"; readonly after: number }
  /** The next report of the open connection. */
  | { readonly do: "read" }
  /** A page after this cursor; so many numbers are missing. The connection stays open, unread. */
  | { readonly do: "fetch"; readonly after: number; readonly missing: number }
  /** Drop the connection and let some time within these bounds pass. */
  | { readonly do: "wait"; readonly atLeast: number; readonly atMost: number; readonly error: unknown }
  | { readonly do: "fail"; readonly error: unknown };

export type Report<F> =
  | { readonly kind: "opened" }
  /** Any sign of life that carries nothing. */
  | { readonly kind: "alive" }
  | { readonly kind: "retry"; readonly ms: number }
  | { readonly kind: "frame"; readonly item: Item<F> }
  /** The server passed over numbers that are not for this reader. */
  | { readonly kind: "cursor"; readonly at: number }
  | Page<F>
  /** The connection has ended, or one was refused, or a page could not be read. */
  | { readonly kind: "lost"; readonly error: unknown }
  | { readonly kind: "waited" };

export interface Page<F> {
  readonly kind: "page";
  readonly items: readonly Item<F>[];
  /** Where the next page begins; null when this one reached the head. */
  readonly next: number | null;
  readonly head: number;
}

export interface Step<F> {
  readonly state: State<F>;
  readonly deliver: readonly Item<F>[];
  readonly order: Order;
}

/** The cursor of who begins at the end. */
export const UNTOLD = -1;

const FIRST_RETRY_MS = 1_000;
const LEAST_RETRY_MS = 100;
/** Back-off ends here, whatever the server says. */
export const MOST_RETRY_MS = 30_000;

export function begin<F>(after: number, contiguous: boolean): Step<F> {
  const state = { cursor: after, contiguous, failures: 0, retryMs: FIRST_RETRY_MS, held: null };
  return { state, deliver: [], order: { do: "connect", after } };
}

export function advance<F>(state: State<F>, report: Report<F>): Step<F> {
  switch (report.kind) {
    case "opened":
      return read(state);
    case "alive":
      return read({ ...state, failures: 0 });
    case "retry":
      return read({ ...state, retryMs: clamp(report.ms) });
    case "frame":
      return onFrame({ ...state, failures: 0 }, report.item);
    case "cursor":
      return read({ ...state, failures: 0, cursor: Math.max(state.cursor, report.at) });
    case "page":
      return onPage(state, report);
    case "lost":
      return onLost({ ...state, held: null }, report.error);
    case "waited":
      return { state, deliver: [], order: { do: "connect", after: state.cursor } };
  }
}

function read<F>(state: State<F>, deliver: readonly Item<F>[] = []): Step<F> {
  return { state, deliver, order: { do: "read" } };
}

function onFrame<F>(state: State<F>, item: Item<F>): Step<F> {
  const { cursor, contiguous } = state;
  if (item.at === null) return read(state, [item]);
  if (item.at <= cursor) return read(state);
  const missing = (item.from ?? item.at) - 1 - cursor;
  if (contiguous && cursor !== UNTOLD && missing > 0) {
    return { state: { ...state, held: item }, deliver: [], order: { do: "fetch", after: cursor, missing } };
  }
  return read({ ...state, cursor: item.at }, [item]);
}

function onPage<F>(state: State<F>, page: Page<F>): Step<F> {
  const { held } = state;
  if (held === null || held.at === null) return read(state);
  const needed = (held.from ?? held.at) - 1;
  const upTo = page.next ?? page.head;
  const reached = upTo >= needed;
  const deliver = inOrder(reached ? [...page.items, held] : page.items, state.cursor);
  const cursor = Math.max(state.cursor, upTo, deliver.at(-1)?.at ?? 0);
  if (reached) return read({ ...state, cursor, held: null }, deliver);
  const moved = { ...state, cursor };
  // A page that does not move on, or a head behind what was just sent, is no ground to pass over anything.
  if (page.next === null || page.next <= state.cursor)
    return { ...onLost({ ...moved, held: null }, STALE), deliver };
  return { state: moved, deliver, order: { do: "fetch", after: cursor, missing: needed - cursor } };
}

/** What lies after the cursor, by number, each once. */
function inOrder<F>(items: readonly Item<F>[], cursor: number): readonly Item<F>[] {
  const byNumber = new Map<number, Item<F>>();
  for (const item of items) if (item.at !== null && item.at > cursor) byNumber.set(item.at, item);
  return [...byNumber].toSorted(([a], [b]) => a - b).map(([, item]) => item);
}

const STALE = new Error("The page that was to fill a gap does not reach it.");

function onLost<F>(state: State<F>, error: unknown): Step<F> {
  if (isFinal(error)) return { state, deliver: [], order: { do: "fail", error } };
  const failures = state.failures + 1;
  // A few doublings reach the ceiling; the exponent must not reach infinity.
  const ceiling = Math.min(MOST_RETRY_MS, state.retryMs * 2 ** Math.min(failures - 1, 10));
  const asked = retryAfter(error);
  const order: Order = {
    do: "wait",
    atLeast: Math.max(ceiling / 2, asked),
    atMost: Math.max(ceiling, asked * 1.5),
    error,
  };
  return { state: { ...state, failures }, deliver: [], order };
}

function retryAfter(error: unknown): number {
  const asked = (error as { retryAfterMs?: number | null } | null)?.retryAfterMs ?? 0;
  return Math.min(asked, 10 * MOST_RETRY_MS);
}

function clamp(ms: number): number {
  return Math.min(MOST_RETRY_MS, Math.max(LEAST_RETRY_MS, ms));
}
