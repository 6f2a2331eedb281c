import type { Delegation } from "@fairlead/contract";
import type { LoopState, TurnOfLoop } from "../loop/state.ts";
import { delegationOf } from "./surface.ts";

/** The steps that a turn may take: for what was delegated, at most what was given along. */
export function stepsOf(state: LoopState, steps: number): number {
  return Math.min(steps, givenTo(state)?.max_steps ?? steps);
}

/** Whether a sub-agent has used all that it was given. */
export function isSpent(state: LoopState, { tokens, cost_usd }: TurnOfLoop): boolean {
  const { max_tokens = Infinity, max_cost_usd = Infinity } = givenTo(state) ?? {};
  return tokens >= max_tokens || cost_usd >= max_cost_usd;
}

/** What people ask of a sub-agent's session later is not paid from it. */
export function givenTo(state: LoopState): Delegation | null {
  return state.turns > 1 ? null : delegationOf(state);
}
