import type { HealthPolicy, SessionStatus } from "@fairlead/contract";
import { pressures } from "./budgets.ts";
import type { HealthState } from "./state.ts";

/** Nothing has come of a turn for so long. A model call and most tools end before that. */
export const STUCK_MS = 10 * 60_000;
/** From this share of a budget on, people are warned. */
export const NEAR = 0.8;
/** Failed calls in a row that make a session degraded. */
const FAILING = 3;
/** Said or changed in one turn without evidence, where the policy does not say. */
const UNPROVEN = 12;
/** The context is nearly full from this percentage on. */
export const CONTEXT_FULL = 85;
/** Of a session of which nothing is to be said. */
export const BEST_SCORE = 100;

/** What each state takes. */
const STATE_COSTS: Readonly<Record<SessionStatus, number>> = {
  idle: 0,
  queued: 0,
  running: 0,
  awaiting_approval: 0,
  paused: 0,
  completed: 0,
  cancelled: 0,
  needs_review: 20,
  recovering: 30,
  failed: 60,
};

/** The best score, less what each of these takes. Every part is at most 0. */
export interface ScoreParts {
  readonly state: number;
  readonly attempts: number;
  readonly failures: number;
  readonly loop: number;
  readonly stuck: number;
  readonly context: number;
  readonly evidence: number;
  readonly budget: number;
  readonly transport: number;
}

export function isStuck({ active_since, progress_at }: HealthState, now: number): boolean {
  return active_since !== null && now - (progress_at ?? active_since) >= STUCK_MS;
}

export function isLooping({ turn }: HealthState): boolean {
  return turn.loop_warnings > 0 || turn.repeated_plans >= 3;
}

export function lacksEvidence({ turn, contract_failed }: HealthState, policy: HealthPolicy): boolean {
  return contract_failed || turn.unproven > (policy.max_events_without_evidence ?? UNPROVEN);
}

export function isDegraded({ status, attempts, failing, turn }: HealthState): boolean {
  return (
    status === "recovering" || status === "failed" || attempts > 1 || failing >= FAILING || turn.fallbacks > 0
  );
}

export function highestPressure(state: HealthState, policy: HealthPolicy, now: number): number {
  return Math.max(0, ...Object.values(pressures(state, policy, now)));
}

/** The documented formula: docs/health.md has it as a table. */
export function scoreParts(state: HealthState, policy: HealthPolicy, now: number): ScoreParts {
  const { status, attempts, failing, turn, context_percent } = state;
  const pressure = highestPressure(state, policy, now);
  return {
    state: minus(STATE_COSTS[status]),
    attempts: minus(Math.min(30, 10 * Math.max(0, attempts - 1))),
    // One that fails is nothing: it is what comes after it that counts.
    failures: minus(Math.min(25, 5 * Math.max(0, failing - 1))),
    loop: minus(Math.min(30, 10 * turn.loop_warnings + 5 * turn.repeated_plans)),
    stuck: minus(isStuck(state, now) ? 20 : 0),
    context: minus(context_percent >= CONTEXT_FULL ? 10 : 0),
    evidence: minus(lacksEvidence(state, policy) ? 10 : 0),
    budget: minus(pressure >= 1 ? 20 : pressure >= NEAR ? 10 : 0),
    transport: minus(turn.fallbacks > 0 ? 10 : 0),
  };
}

export function scoreOf(parts: ScoreParts): number {
  return Math.max(
    0,
    Object.values(parts).reduce((sum: number, part: number) => sum + part, BEST_SCORE),
  );
}

/** No negative zero: JSON has none, and a snapshot is compared as it is kept. */
function minus(cost: number): number {
  return cost === 0 ? 0 : -cost;
}
