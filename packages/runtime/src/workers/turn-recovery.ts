import type { Turns } from "../services/types.ts";
import { whenDue, type WhenDueDeps } from "./when-due.ts";
import type { Worker } from "./worker.ts";

export interface TurnRecoveryDeps extends Pick<WhenDueDeps, "clock" | "timers" | "report"> {
  readonly turns: Pick<Turns, "recover" | "nextDue" | "onTimer">;
  /** Whether other processes drive turns of the same log. */
  readonly shared?: boolean;
  /** How often to look for turns whose process has died since. */
  readonly lookMs?: number;
}

/** Where other processes may die: what they held is found soon after it is nobody's. Where there are none, nothing is. */
const LOOK_MS = { shared: 1_000, alone: 10_000 } as const;

/**
 * Goes on with turns that no process drives any more, at the start and while this one lives, and with those that wait
 * for a time when it comes.
 */
export function turnRecovery({ turns, shared = false, lookMs, ...rest }: TurnRecoveryDeps): Worker {
  const { recover, nextDue, onTimer } = turns;
  return whenDue({
    act: recover,
    nextDue,
    onSet: onTimer,
    lookMs: lookMs ?? LOOK_MS[shared ? "shared" : "alone"],
    ...rest,
  });
}
