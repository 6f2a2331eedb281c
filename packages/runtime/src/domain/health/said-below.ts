import { NOTHING, type Spent } from "./amounts.ts";
import { type Counted, NONE_COUNTED } from "./below.ts";
import type { HealthState } from "./state.ts";

type Top = Pick<HealthState, "below" | "policy">;

/** Of a limit, about so much is used below without a word about it, by all together. */
const UNSAID = 0.05;

function grew({ below }: Top, limit: number | undefined, amount: number): boolean {
  return limit !== undefined && amount > 0 && amount >= (limit * UNSAID) / Object.keys(below).length;
}

/** Whether a sub-agent says to the session at the top what it has used by now: in steps, so that nobody is flooded. */
export function isUseNews(top: Top, session: string, { tokens, cost_usd }: Spent): boolean {
  const known = top.below[session];
  if (known === undefined) return false;
  const { used = NOTHING } = known;
  const { max_total_tokens, max_cost_usd } = top.policy;
  return (
    grew(top, max_total_tokens, tokens - used.tokens) || grew(top, max_cost_usd, cost_usd - used.cost_usd)
  );
}

/** The same of what is counted of it. */
export function isCountNews(top: Top, session: string, now: Counted): boolean {
  const known = top.below[session];
  if (known === undefined) return false;
  const { counted = NONE_COUNTED } = known;
  const { max_failed_tool_calls, max_loop_warnings, max_repeated_plan_events } = top.policy;
  return (
    grew(top, max_failed_tool_calls, now.failed_calls - counted.failed_calls) ||
    grew(top, max_loop_warnings, now.loop_warnings - counted.loop_warnings) ||
    grew(top, max_repeated_plan_events, now.repeated_plans - counted.repeated_plans)
  );
}
