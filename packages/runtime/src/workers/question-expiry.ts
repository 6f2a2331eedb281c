import type { Questions } from "../services/types.ts";
import { whenDue, type WhenDueDeps } from "./when-due.ts";
import type { Worker } from "./worker.ts";

export interface QuestionExpiryDeps extends Pick<WhenDueDeps, "clock" | "timers" | "report"> {
  readonly questions: Pick<Questions, "expireDue" | "nextDue" | "onAsked">;
  /** How often to look for questions that other processes asked, and left. */
  readonly lookMs?: number;
}

const LOOK_MS = 60_000;

/** Expires questions when their time comes: sleeps until the next one is due. */
export function questionExpiry({ questions, lookMs = LOOK_MS, ...rest }: QuestionExpiryDeps): Worker {
  const { expireDue, nextDue, onAsked } = questions;
  return whenDue({ act: expireDue, nextDue, onSet: onAsked, lookMs, ...rest });
}
