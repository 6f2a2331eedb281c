import { isFinal } from "./patiently.ts";

export interface Asking {
  /** It may have changed. Asked soon, or `now`; while an answer is under way, once more after it. */
  look(now?: boolean): void;
  /** Nobody wants to know any more. */
  stop(): void;
}

export interface Told<T> {
  readonly asks: () => void;
  readonly found: (value: T) => void;
  readonly failed: (error: unknown) => void;
}

/** While much happens, the same is asked so often at most. */
const PAUSE_MS = 1_000;
/** While nobody answers, it is asked so often. */
const AWAY_MS = 2_000;
/** An answer that is not there by then is asked for again. */
const LATE_MS = 60_000;

/**
 * One question to the server, for as long as somebody wants to know.
 *
 * 1. One at a time: a late answer cannot undo a newer one.
 * 2. An answer that came is taken, whatever has moved meanwhile: then it is asked again. So much that moves and a slow
 *    server still show something.
 * 3. What passes by itself is asked again by itself; what asking again gives once more is not.
 */
export function asking<T>(
  ask: (signal: AbortSignal) => Promise<T>,
  told: Told<T>,
  { pauseMs = PAUSE_MS, awayMs = AWAY_MS } = {},
): Asking {
  const gone = new AbortController();
  let underWay = false;
  let again: "soon" | "now" | null = null;
  let began = -Infinity;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function plan(ms: number): void {
    clearTimeout(timer);
    timer = setTimeout(() => void run(), ms);
  }
  const soon = (): void => plan(Math.max(0, began + pauseMs - Date.now()));

  async function run(): Promise<void> {
    underWay = true;
    again = null;
    began = Date.now();
    told.asks();
    const away = await answered();
    underWay = false;
    if (gone.signal.aborted) return;
    if (again === "now") plan(0);
    else if (again === "soon") soon();
    else if (away) plan(awayMs);
  }

  /** Whether it has to be asked again for want of an answer. */
  async function answered(): Promise<boolean> {
    try {
      const value = await ask(AbortSignal.any([gone.signal, AbortSignal.timeout(LATE_MS)]));
      if (!gone.signal.aborted) told.found(value);
      return false;
    } catch (error) {
      if (!gone.signal.aborted) told.failed(error);
      return !isFinal(error);
    }
  }

  return {
    look(now = false) {
      if (gone.signal.aborted) return;
      if (underWay) again = now || again === "now" ? "now" : "soon";
      else if (now) plan(0);
      else soon();
    },
    stop() {
      clearTimeout(timer);
      gone.abort();
    },
  };
}
