/** Shares of the model's context at which an operator is warned, once each until there is room again. */
const WARN_AT = [0.7, 0.85, 0.95] as const;

/** The highest share that is reached; null below the first. */
export function reached(used: number, limit: number): number | null {
  return WARN_AT.findLast((share) => used >= limit * share) ?? null;
}
