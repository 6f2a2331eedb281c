import { z } from "zod";
import { DELEGATION_LIMITS, type DelegationLimits } from "../domain/delegation/limits.ts";
import { given } from "../domain/given.ts";

/** How far work is delegated, and what one sub-agent gets at most. */
export const DelegationConfig = z.strictObject({
  /** Delegations below the session at the top; 0 delegates nothing. */
  max_depth: z.int().min(0).max(8).default(DELEGATION_LIMITS.depth),
  /** Sub-agents of one session at once. */
  max_parallel: z.int().min(1).max(32).default(DELEGATION_LIMITS.children),
  max_tokens: z.int().min(1).optional(),
  max_cost_usd: z.number().positive().optional(),
  max_steps: z.int().min(1).max(1_000).optional(),
});

export function delegationLimits(config: z.output<typeof DelegationConfig>): DelegationLimits {
  const { max_depth: depth, max_parallel: children, max_tokens, max_cost_usd, max_steps } = config;
  return {
    depth,
    children,
    ...given({ childTokens: max_tokens, childCostUsd: max_cost_usd, childSteps: max_steps }),
  };
}
