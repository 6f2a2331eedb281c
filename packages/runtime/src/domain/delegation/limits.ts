import { given } from "../given.ts";

/** How far work is delegated. */
export interface DelegationLimits {
  /** Delegations below the session at the top; 0 delegates nothing. */
  readonly depth: number;
  /** Sub-agents of one session at once. */
  readonly children: number;
  /** What one sub-agent gets at most, whatever is asked for. */
  readonly childTokens?: number;
  readonly childCostUsd?: number;
  readonly childSteps?: number;
}

/** The same as people set it. */
export interface DelegationSettings {
  readonly max_depth?: number | undefined;
  readonly max_parallel?: number | undefined;
  readonly max_tokens?: number | undefined;
  readonly max_cost_usd?: number | undefined;
  readonly max_steps?: number | undefined;
}

export const DELEGATION_LIMITS: DelegationLimits = { depth: 2, children: 4 };

/** Only what was set. */
export function delegationLimits(settings: DelegationSettings): Partial<DelegationLimits> {
  return given({
    depth: settings.max_depth,
    children: settings.max_parallel,
    childTokens: settings.max_tokens,
    childCostUsd: settings.max_cost_usd,
    childSteps: settings.max_steps,
  });
}
