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

export const DELEGATION_LIMITS: DelegationLimits = { depth: 2, children: 4 };
