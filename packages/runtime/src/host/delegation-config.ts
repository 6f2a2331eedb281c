import { z } from "zod";

/** How far work is delegated, and what one sub-agent gets at most. What is left out is as the runtime has it. */
export const DelegationConfig = z.strictObject({
  /** Delegations below the session at the top; 0 delegates nothing. */
  max_depth: z.int().min(0).max(8).optional(),
  /** Sub-agents of one session at once. */
  max_parallel: z.int().min(1).max(32).optional(),
  max_tokens: z.int().min(1).optional(),
  max_cost_usd: z.number().positive().optional(),
  max_steps: z.int().min(1).max(1_000).optional(),
});
export type DelegationConfig = z.output<typeof DelegationConfig>;
