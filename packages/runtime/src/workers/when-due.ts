import type { Clock } from "../ports/clock.ts";
import type { Timers } from "../ports/timers.ts";
import type { Worker } from "./worker.ts";

export interface WhenDueDeps {
  /** Does all that is due. */
  readonly act: () => Promise<unknown>;
  /** When something is due next, in milliseconds; null when nothing is. */
  readonly nextDue: () => Promise<number | null>;
  /** Calls back with the time of what was set since. Returns how to call it off. */
  readonly onSet: (listener: (due: number) => void) => () => void;
  readonly clock: Clock;
  readonly timers: Timers;
  /** How often to look for what other processes set, and left. */
  readonly lookMs: number;
  /** Must not throw. */
  readonly report: (error: unknown) => void;
}

/** Acts at the start, and then sleeps until the next thing is due. */
export function whenDue({ act, nextDue, onSet, clock, timers, lookMs, report }: WhenDueDeps): Worker {
  let callOff = () => {};
  let unwatch = () => {};
  let wakesAt = Infinity;
  let running = false;
  let looking: Promise<void> | undefined;

  function sleepUntil(time: number): void {
    if (!running || time >= wakesAt) return;
    callOff();
    wakesAt = time;
    callOff = timers.after(Math.max(0, time - clock.now()), () => {
      wakesAt = Infinity;
      void look();
    });
  }

  async function lookOnce(): Promise<void> {
    let next: number | null = null;
    try {
      await act();
      next = await nextDue();
    } catch (error) {
      report(error);
    }
    const now = clock.now();
    // What is due still could not be done: no use in trying again at once.
    sleepUntil(next === null || next <= now ? now + lookMs : Math.min(next, now + lookMs));
  }

  function look(): Promise<void> {
    looking ??= lookOnce().finally(() => (looking = undefined));
    return looking;
  }

  return {
    async start() {
      running = true;
      unwatch = onSet(sleepUntil);
      await look();
    },
    async stop() {
      running = false;
      unwatch();
      callOff();
      await looking;
    },
  };
}
