import { DELEGATION_LIMITS, type DelegationLimits } from "../../domain/delegation/limits.ts";
import type { LoopLimits } from "../../domain/loop/next.ts";

/** When a turn is cut short, and how it is written down. */
export interface TurnLimits extends DelegationLimits {
  /** Silence of the model after which its call has failed. */
  readonly idleMs: number;
  /** The longest one model call may take, however busy. */
  readonly callMs: number;
  /** The longest answer taken. */
  readonly outputChars: number;
  /** Pause between two deltas; what comes in between is put together. */
  readonly deltaMs: number;
  /** How long a lease lasts without renewal: the time after which others may take over. */
  readonly leaseMs: number;
  /** The most messages that a model is told: beyond, the older ones are folded into a summary. */
  readonly historyMessages: number;
  /** Tries of one model before another stands in for it. */
  readonly callTries: number;
  /** The first pause before another try; it doubles. */
  readonly retryMs: number;
  /** The longest pause that is waited for; for a longer one the turn is parked. */
  readonly holdMs: number;
  /** Background sessions that this process drives at once. */
  readonly background: number;
  /** Approvals expire after this; without it they stay open. */
  readonly approvalMs?: number;
}

export const TURN_LIMITS: TurnLimits & LoopLimits = {
  ...DELEGATION_LIMITS,
  steps: 100,
  misfits: 4,
  parallel: 8,
  losses: 10,
  idleMs: 60_000,
  callMs: 15 * 60_000,
  outputChars: 2_000_000,
  deltaMs: 25,
  leaseMs: 3_000,
  historyMessages: 400,
  callTries: 3,
  retryMs: 500,
  holdMs: 20_000,
  background: 256,
};
