import type { Budget } from "../../domain/policy/input.ts";

/** How long answers may take, and what they are allowed to cost. */
export interface SupervisionLimits {
  /** An agent is answered within this, whatever happens: below its own timeout. */
  readonly answerMs: number;
  /** What a waiting agent is told. */
  readonly retryAfterMs: number;
  readonly redeliverMs: number;
  readonly denialMs: number;
  /** Without it a question to a person stays open. */
  readonly expireMs?: number;
  /** What one session may use. */
  readonly budget: Budget["limits"];
}

export const SUPERVISION_LIMITS: SupervisionLimits = {
  answerMs: 9_000,
  retryAfterMs: 5_000,
  redeliverMs: 60_000,
  denialMs: 10 * 60_000,
  budget: {},
};
