import type { Price, TokenUsage } from "../../ports/model.ts";

const MILLION = 1_000_000;

/** Dollars for one call. */
export function costOf(usage: TokenUsage, price: Price): number {
  const cached = Math.min(usage.cached_input_tokens ?? 0, usage.input_tokens);
  const written = Math.min(usage.cache_write_tokens ?? 0, usage.input_tokens - cached);
  const fresh = usage.input_tokens - cached - written;
  const dollars =
    fresh * price.input +
    cached * (price.cached_input ?? price.input) +
    written * (price.cache_write ?? price.input) +
    usage.output_tokens * price.output;
  return dollars / MILLION;
}

/** The most that so many tokens can cost: all of the input may be written into the cache. */
export function mostOf(input: number, output: number, price: Price): number {
  const dear = { ...price, input: Math.max(price.input, price.cache_write ?? 0) };
  return costOf({ input_tokens: input, output_tokens: output }, dear);
}
