import type { Questions, Services } from "../services/types.ts";
import { whenDue, type WhenDueDeps } from "./when-due.ts";
import type { Worker } from "./worker.ts";

export interface DirectRecoveryDeps extends Pick<WhenDueDeps, "clock" | "timers" | "report"> {
  readonly tools: Pick<Services["tools"], "recover" | "nextDue">;
  readonly questions: Pick<Questions, "onDecided">;
  /** How often to look for what other processes left, and what people told them. */
  readonly lookMs?: number;
}

const LOOK_MS = 10_000;

/** Finds calls of people whose process was lost, and does what they say about them. */
export function directRecovery({ tools, questions, lookMs = LOOK_MS, ...rest }: DirectRecoveryDeps): Worker {
  const { recover, nextDue } = tools;
  return whenDue({
    act: recover,
    nextDue,
    onSet: (listener) => questions.onDecided(() => listener(rest.clock.now())),
    lookMs,
    ...rest,
  });
}
