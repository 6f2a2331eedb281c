import type { AnyEvent, EventData } from "@fairlead/contract";
import { DEFAULT_CONTEXT_TOKENS, percentOf } from "../context/room.ts";
import { isEnd } from "../delegation/status.ts";
import { leftOf } from "../delegation/share.ts";
import type { CallNeed, Left } from "../budget/reserve.ts";
import { limitOf, plain } from "./budgets.ts";
import { NOTHING, plus, type Spent, sumSpent } from "./amounts.ts";
import type { Crossing, HealthState } from "./state.ts";

/** What a sub-agent of this session used is its own until it has ended, and this session's when it was gathered. */
export function foldBack(
  state: HealthState,
  said: EventData<"runtime.subagent.event">,
  { stream }: AnyEvent,
): void {
  const { parent_session_id, status, tokens = 0, cost_usd = 0 } = said;
  if (parent_session_id === stream && isEnd(status)) state.back = plus(state.back, { tokens, cost_usd });
}

export function foldUsage(state: HealthState, usage: EventData<"agent.usage">): void {
  const { total_tokens: tokens, cost_usd = 0, subagent, estimated, input_tokens, context_tokens } = usage;
  state.tokens += tokens;
  state.cost_usd += cost_usd;
  // What the provider counted is better than what we took it for.
  if (subagent === undefined && estimated === undefined)
    state.context_percent = percentOf(input_tokens, context_tokens ?? DEFAULT_CONTEXT_TOKENS);
  if (subagent === undefined) state.reserved = null;
  else state.back = plus(state.back, { tokens, cost_usd }, -1);
}

/** All that these have used or put aside, and that those who ended below them have. Each of a tree is counted once. */
function spentBy(all: readonly HealthState[]): Spent {
  return sumSpent(all.flatMap((state) => [state, state.back, state.reserved ?? NOTHING]));
}

/** Whether the session limits what it and all below it use. */
export function limitsSpending({ policy }: HealthState): boolean {
  return policy.max_total_tokens !== undefined || policy.max_cost_usd !== undefined;
}

/** What is left now of what the session at the top may use, with all that is below it. */
export function leftOfTree(top: HealthState, below: readonly HealthState[]): Left {
  const { tokens, cost_usd } = spentBy([top, ...below]);
  return {
    tokens: leftOf(limitOf(top, top.policy, "max_total_tokens"), tokens),
    cost_usd: leftOf(limitOf(top, top.policy, "max_cost_usd"), cost_usd),
  };
}

/** Whether more is used and put aside than the session at the top may use: calls of two processes can meet. */
export function isOverdrawn(top: HealthState, below: readonly HealthState[]): boolean {
  const { tokens, cost_usd } = spentBy([top, ...below]);
  const { policy } = top;
  return (
    tokens > (limitOf(top, policy, "max_total_tokens") ?? Infinity) ||
    cost_usd > (limitOf(top, policy, "max_cost_usd") ?? Infinity)
  );
}

/** What a call that needs so much would cross. */
export function shortOfTree(
  top: HealthState,
  below: readonly HealthState[],
  need: CallNeed,
): readonly Crossing[] {
  const left = leftOfTree(top, below);
  const spent = spentBy([top, ...below]);
  const found: Crossing[] = [];
  const tokens = limitOf(top, top.policy, "max_total_tokens");
  if (tokens !== undefined && need.tokens > (left.tokens ?? Infinity))
    found.push({
      budget: "max_total_tokens",
      limit: plain(tokens),
      value: spent.tokens + need.tokens,
      used: spent.tokens,
      next: need.most.tokens,
    });
  const cost = limitOf(top, top.policy, "max_cost_usd");
  const { cost_usd = 0 } = need;
  if (cost !== undefined && cost_usd > (left.cost_usd ?? Infinity))
    found.push({
      budget: "max_cost_usd",
      limit: plain(cost),
      value: plain(spent.cost_usd + cost_usd),
      used: plain(spent.cost_usd),
      next: plain(need.most.cost_usd ?? 0),
    });
  return found;
}
