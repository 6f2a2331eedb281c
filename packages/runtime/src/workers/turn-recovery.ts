import type { Clock } from "../ports/clock.ts";
import type { Timers } from "../ports/timers.ts";
import type { Turns } from "../services/types.ts";
import type { Worker } from "./worker.ts";

export interface TurnRecoveryDeps {
  readonly turns: Pick<Turns, "recover" | "nextDue" | "onTimer">;
  readonly clock: Clock;
  readonly timers: Timers;
  /** How often to look for turns whose process has died since. */
  readonly lookMs?: number;
  /** Must not throw. */
  readonly report: (error: unknown) => void;
}

// As long as a lease lasts: whoever is dead at the start of a wait has lost it at the end.
const LOOK_MS = 10_000;

/**
 * Goes on with turns that no process drives any more, at the start and while this one lives, and with those that wait
 * for a time when it comes.
 */
export function turnRecovery({ turns, clock, timers, lookMs = LOOK_MS, report }: TurnRecoveryDeps): Worker {
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
      await turns.recover();
      next = await turns.nextDue();
    } catch (error) {
      report(error);
    }
    const now = clock.now();
    // One that is due still could not be taken up: no use in trying again at once.
    sleepUntil(next === null || next <= now ? now + lookMs : Math.min(next, now + lookMs));
  }

  function look(): Promise<void> {
    looking ??= lookOnce().finally(() => (looking = undefined));
    return looking;
  }

  return {
    async start() {
      running = true;
      unwatch = turns.onTimer(sleepUntil);
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
