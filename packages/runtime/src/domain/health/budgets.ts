import type { HealthPolicy } from "@fairlead/contract";
import { type Spent, sumSpent } from "./amounts.ts";
import { type Counted, countedBelow, sumOf, usedBelow } from "./below.ts";
import { BUDGETS, type Budget, type Crossing, type HealthState } from "./state.ts";

export type MaxBudget = Exclude<Budget, "min_score">;

/** How each budget is measured. The score is made of all others, so it is measured elsewhere. */
export const MEASURES: Readonly<Record<MaxBudget, (state: HealthState, now: number) => number>> = {
  max_runtime_minutes: (state, now) => runtimeMs(state, now) / 60_000,
  max_total_tokens: (state) => spentIn(state).tokens,
  max_cost_usd: (state) => spentIn(state).cost_usd,
  max_context_percent: ({ context_percent, context_peak }) => Math.max(context_percent, context_peak),
  max_failed_tool_calls: (state) => countedIn(state).failed_calls,
  max_loop_warnings: (state) => countedIn(state).loop_warnings,
  max_repeated_plan_events: (state) => countedIn(state).repeated_plans,
  max_tool_latency_ms: ({ latency_ms }) => latency_ms,
  max_events_without_evidence: ({ turn }) => turn.unproven,
};

/** All that it used, with what it delegated: of those at work, as far as they have said it. */
function spentIn(state: HealthState): Spent {
  return sumSpent([state, state.back, usedBelow(state)]);
}

function countedIn(state: HealthState): Counted {
  return sumOf([state, state.done_below, countedBelow(state)]);
}

/** What grows for good. The others can get well again. */
const COUNTED: ReadonlySet<Budget> = new Set([
  "max_runtime_minutes",
  "max_total_tokens",
  "max_cost_usd",
  "max_failed_tool_calls",
  "max_loop_warnings",
  "max_repeated_plan_events",
]);

/** The time in which a process drove it, or its sub-agents worked: while it waits otherwise, none passes. */
export function runtimeMs({ active_ms, active_since, away_since }: HealthState, now: number): number {
  const since = active_since ?? away_since;
  return active_ms + (since === null ? 0 : Math.max(0, now - since));
}

/** A limit that is set anew is the one that holds: what a yes has moved, or would move, was the one before. */
export function setPolicy(state: HealthState, policy: HealthPolicy): void {
  const { enforcement } = state;
  for (const budget of BUDGETS) if (state.policy[budget] !== policy[budget]) delete state.allowed[budget];
  if (enforcement?.outcome === "open") {
    const crossed = enforcement.crossed.filter(({ budget }) => state.policy[budget] === policy[budget]);
    // What is paused stays so until somebody lets it go on; what it was paused for is over.
    const over = enforcement.action === "pause" && crossed.length === 0;
    state.enforcement = { ...enforcement, crossed, outcome: over ? "moved" : "open" };
  }
  state.policy = policy;
}

/** The question that is open about limits of which none holds any more as it was asked about; null where there is none. */
export function mootQuestion(
  { enforcement, policy: before }: HealthState,
  policy: HealthPolicy,
): string | null {
  if (enforcement?.outcome !== "open" || enforcement.request_id === undefined) return null;
  const holds = enforcement.crossed.some(({ budget }) => before[budget] === policy[budget]);
  return holds ? null : enforcement.request_id;
}

/** The limit that holds: the policy's, or as far as people have moved it since it was set. */
export function limitOf({ allowed }: HealthState, policy: HealthPolicy, budget: Budget): number | undefined {
  const limit = policy[budget];
  if (limit === undefined) return undefined;
  const moved = allowed[budget];
  if (moved === undefined) return limit;
  return budget === "min_score" ? Math.min(limit, moved) : Math.max(limit, moved);
}

/** How much of each budget that the policy sets is used; 1 is all of it. */
export function pressures(
  state: HealthState,
  policy: HealthPolicy,
  now: number,
): Partial<Record<MaxBudget, number>> {
  const found: Partial<Record<MaxBudget, number>> = {};
  for (const budget of BUDGETS) {
    if (budget === "min_score") continue;
    const limit = limitOf(state, policy, budget);
    if (limit === undefined) continue;
    const value = MEASURES[budget](state, now);
    found[budget] = limit === 0 ? (value > 0 ? 1 : 0) : value / limit;
  }
  return found;
}

/** Whether there is anything that could be crossed: of most sessions nobody has said so. */
export function limitsAnything(policy: HealthPolicy): boolean {
  return BUDGETS.some((budget) => policy[budget] !== undefined);
}

/**
 * What is crossed. Tokens, dollars and minutes are amounts: all used is over, and where nothing was used nothing is: what
 * costs nothing fits in a limit of nothing. Of what is counted, and of levels, a limit of n allows n.
 */
export function crossings(
  state: HealthState,
  policy: HealthPolicy,
  now: number,
  score: number,
): readonly Crossing[] {
  return BUDGETS.flatMap((budget): Crossing[] => {
    const limit = limitOf(state, policy, budget);
    if (limit === undefined) return [];
    const value = budget === "min_score" ? score : MEASURES[budget](state, now);
    return isCrossed(budget, value, limit) ? [{ budget, limit: plain(limit), value: rounded(value) }] : [];
  });
}

const AMOUNTS: ReadonlySet<Budget> = new Set(["max_runtime_minutes", "max_total_tokens", "max_cost_usd"]);

function isCrossed(budget: Budget, value: number, limit: number): boolean {
  if (budget === "min_score") return value < limit;
  return AMOUNTS.has(budget) ? value > 0 && value >= limit : value > limit;
}

/**
 * Somebody let it go on: as much again of what is counted, and for a level a little worse than it is. Never less than what
 * the next step takes: a yes that lets nothing happen would be asked for again at once.
 */
export function allowMore(state: HealthState, crossed: readonly Crossing[]): void {
  for (const { budget, limit, value, next } of crossed) {
    const own = state.policy[budget] ?? limit;
    if (budget === "min_score") state.allowed[budget] = Math.max(0, value - LEVEL_STEP);
    else if (COUNTED.has(budget))
      state.allowed[budget] = value + Math.max(own, AMOUNTS.has(budget) ? (next ?? 0) : 1);
    else state.allowed[budget] = value * (1 + LEVEL_STEP / 100);
  }
}

const LEVEL_STEP = 10;

/** A limit for people to read: without what adding fractions leaves behind. What holds is the limit itself. */
export function plain(limit: number): number {
  return Number(limit.toPrecision(12));
}

function rounded(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}
