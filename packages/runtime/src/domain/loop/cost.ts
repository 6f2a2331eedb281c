import type { Price, TokenUsage } from "../../ports/model.ts";

const MILLION = 1_000_000;

/** Dollars for one call. */
export function costOf(usage: TokenUsage, price: Price): number {
  const cached = Math.min(usage.cached_input_tokens ?? 0, usage.input_tokens);
  const fresh = usage.input_tokens - cached;
  const dollars =
    fresh * price.input + cached * (price.cached_input ?? price.input) + usage.output_tokens * price.output;
  return dollars / MILLION;
}
