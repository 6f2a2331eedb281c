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
  /** Questions of one agent under way at once; the next is told to come again. */
  readonly maxInFlight: number;
  /** Of these, how many wait for a person; the next is asked, and told to come again. */
  readonly maxHeld: number;
  /** Approvals of one session that may be open; the next is not asked. */
  readonly maxOpen: number;
  /** What one session may use. */
  readonly budget: Budget["limits"];
}

export const SUPERVISION_LIMITS: SupervisionLimits = {
  answerMs: 9_000,
  retryAfterMs: 5_000,
  redeliverMs: 60_000,
  denialMs: 10 * 60_000,
  maxInFlight: 1_024,
  maxHeld: 256,
  maxOpen: 100,
  budget: {},
};
