import type { Turns } from "../services/types.ts";
import { whenDue, type WhenDueDeps } from "./when-due.ts";
import type { Worker } from "./worker.ts";

export interface TurnRecoveryDeps extends Pick<WhenDueDeps, "clock" | "timers" | "report"> {
  readonly turns: Pick<Turns, "recover" | "nextDue" | "onTimer">;
  /** How often to look for turns whose process has died since. */
  readonly lookMs?: number;
}

// As long as a lease lasts: whoever is dead at the start of a wait has lost it at the end.
const LOOK_MS = 10_000;

/**
 * Goes on with turns that no process drives any more, at the start and while this one lives, and with those that wait
 * for a time when it comes.
 */
export function turnRecovery({ turns, lookMs = LOOK_MS, ...rest }: TurnRecoveryDeps): Worker {
  const { recover, nextDue, onTimer } = turns;
  return whenDue({ act: recover, nextDue, onSet: onTimer, lookMs, ...rest });
}
