import type { Clock } from "../ports/clock.ts";
import type { Timers } from "../ports/timers.ts";
import type { Questions } from "../services/types.ts";
import type { Worker } from "./worker.ts";

export interface QuestionExpiryDeps {
  readonly questions: Pick<Questions, "expireDue" | "nextDue" | "onAsked">;
  readonly clock: Clock;
  readonly timers: Timers;
  /** How often to look for questions that other processes asked, and left. */
  readonly lookMs?: number;
  /** Must not throw. */
  readonly report: (error: unknown) => void;
}

const LOOK_MS = 60_000;

/** Expires questions when their time comes: sleeps until the next one is due. */
export function questionExpiry({
  questions,
  clock,
  timers,
  lookMs = LOOK_MS,
  report,
}: QuestionExpiryDeps): Worker {
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
      await questions.expireDue();
      next = await questions.nextDue();
    } catch (error) {
      report(error);
    }
    const now = clock.now();
    // One that is due still could not be expired: no use in trying again at once.
    sleepUntil(next === null || next <= now ? now + lookMs : Math.min(next, now + lookMs));
  }

  function look(): Promise<void> {
    looking ??= lookOnce().finally(() => (looking = undefined));
    return looking;
  }

  return {
    async start() {
      running = true;
      unwatch = questions.onAsked(sleepUntil);
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
