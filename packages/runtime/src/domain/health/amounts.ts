export interface Spent {
  readonly tokens: number;
  readonly cost_usd: number;
}

export const NOTHING: Spent = { tokens: 0, cost_usd: 0 };

/** `sign`: -1 takes away, and never below nothing. */
export function plus(a: Spent, b: Spent, sign = 1): Spent {
  return {
    tokens: Math.max(0, a.tokens + sign * b.tokens),
    cost_usd: Math.max(0, a.cost_usd + sign * b.cost_usd),
  };
}

export function sumSpent(all: readonly Spent[]): Spent {
  return all.reduce((sum, one) => plus(sum, one), NOTHING);
}
