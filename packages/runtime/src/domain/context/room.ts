/** Where nobody said what a model takes. Too early a summary is better than a request that is refused. */
export const DEFAULT_CONTEXT_TOKENS = 64_000;

/** How full the context is, in percent to one place. */
export function percentOf(used: number, limit: number): number {
  return Math.round((used / limit) * 1000) / 10;
}
