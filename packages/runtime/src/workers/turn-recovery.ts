import type { Timers } from "../ports/timers.ts";
import type { Turns } from "../services/types.ts";
import type { Worker } from "./worker.ts";

export interface TurnRecoveryDeps {
  readonly turns: Pick<Turns, "recover">;
  readonly timers: Timers;
  /** How often to look for turns whose process has died since. */
  readonly lookMs?: number;
  /** Must not throw. */
  readonly report: (error: unknown) => void;
}

// As long as a lease lasts: whoever is dead at the start of a wait has lost it at the end.
const LOOK_MS = 10_000;

/** Ends turns that no process drives any more: at the start, and of other processes while this one lives. */
export function turnRecovery({ turns, timers, lookMs = LOOK_MS, report }: TurnRecoveryDeps): Worker {
  let callOff = () => {};
  let running = false;
  let looking: Promise<void> = Promise.resolve();

  async function look(): Promise<void> {
    try {
      await turns.recover();
    } catch (error) {
      report(error);
    }
    if (running) callOff = timers.after(lookMs, () => (looking = look()));
  }

  return {
    async start() {
      running = true;
      looking = look();
      await looking;
    },
    async stop() {
      running = false;
      callOff();
      await looking;
    },
  };
}
