import type { Health } from "../services/health/health.ts";
import { whenDue, type WhenDueDeps } from "./when-due.ts";
import type { Worker } from "./worker.ts";

export interface HealthWatchDeps extends Pick<WhenDueDeps, "clock" | "timers" | "report"> {
  readonly health: Pick<Health, "recordDue" | "nextDue">;
  /** How often to look for sessions that began since, here or elsewhere. */
  readonly lookMs?: number;
}

/** Minutes are a budget too: they are held a moment after they are over, wherever the session was begun. */
const LOOK_MS = 15_000;

/** Says how sessions fare where time alone has changed it: one that is stuck says nothing itself. */
export function healthWatch({ health, lookMs = LOOK_MS, ...rest }: HealthWatchDeps): Worker {
  const { recordDue: act, nextDue } = health;
  const worker = whenDue({ act, nextDue, onSet: () => () => {}, lookMs, ...rest });
  return {
    // Nobody waits for it: a start is not held up by what is only to be said.
    start: async () => void worker.start().catch(rest.report),
    stop: () => worker.stop(),
  };
}
