import type { HealthPolicy } from "@fairlead/contract";
import { sumOf } from "./below.ts";
import { crossings } from "./budgets.ts";
import type { Budget, Crossing, HealthState } from "./state.ts";

/** What is held against all that a session delegated. Tokens and dollars are put aside, the others are of a session alone. */
const OF_ALL = [
  "max_runtime_minutes",
  "max_failed_tool_calls",
  "max_loop_warnings",
  "max_repeated_plan_events",
  "max_tool_latency_ms",
  "max_events_without_evidence",
] as const satisfies readonly Budget[];

/** The part of a policy that binds sub-agents too. */
export function sharedPolicy(policy: HealthPolicy): HealthPolicy {
  return Object.fromEntries(OF_ALL.flatMap((one) => (policy[one] === undefined ? [] : [[one, policy[one]]])));
}

/**
 * What the session at the top has crossed with what is below it, seen by one of these before it asks its model: counts
 * are of all together; how long a tool took, and what was said without evidence, are its own.
 */
export function crossedBelow(
  top: HealthState,
  own: HealthState,
  others: readonly HealthState[],
  now: number,
): readonly Crossing[] {
  const done_below = sumOf([top.done_below, own, ...others]);
  // Each is counted as it is now, and not as it was last said to be.
  const all = { ...top, done_below, below: {}, latency_ms: own.latency_ms, turn: own.turn };
  return crossings(all, sharedPolicy(top.policy), now, Infinity);
}

/** Its time is over while it waits for its sub-agents: nobody drives it who would see that. */
export function runsOver(state: HealthState, now: number): boolean {
  if (!state.background || state.away_since === null || state.enforcement?.outcome === "open") return false;
  return overTime(state, now).length > 0;
}

/** Whether the minutes are used up. */
export function overTime(state: HealthState, now: number): readonly Crossing[] {
  const { max_runtime_minutes } = state.policy;
  if (max_runtime_minutes === undefined) return [];
  return crossings(state, { max_runtime_minutes }, now, Infinity);
}
