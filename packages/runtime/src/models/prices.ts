import type { Price } from "../ports/model.ts";

export interface ModelFacts {
  readonly price: Price;
  /** How much it can read, in tokens. */
  readonly contextTokens: number;
}

const facts = (contextTokens: number, input: number, output: number, cached_input: number): ModelFacts => ({
  price: { input, output, cached_input },
  contextTokens,
});

/** Anthropic asks a quarter more for what is written into its cache, and with us that is all input that is new. */
const CACHE_WRITE = 1.25;

const anthropic = (...said: Parameters<typeof facts>): ModelFacts => {
  const { price, contextTokens } = facts(...said);
  return { price: { ...price, cache_write: price.input * CACHE_WRITE }, contextTokens };
};

const MILLION = 1_000_000;

/**
 * Dollars for a million tokens, as of 2026-11-16, at the standard rate of each provider. Prices change without notice:
 * users override them with `price` in the configuration. Dearer rates for very long requests and cheaper
 * ones for batches are left out.
 */
const FACTS: Readonly<Record<string, Readonly<Record<string, ModelFacts>>>> = {
  anthropic: {
    "claude-fable-5-2": anthropic(MILLION, 8, 40, 0.8),
    "claude-fable-5-1": anthropic(MILLION, 10, 50, 1),
    "claude-opus-5-5": anthropic(MILLION, 4, 20, 0.4),
    "claude-opus-5": anthropic(MILLION, 5, 25, 0.5),
    "claude-sonnet-5-5": anthropic(MILLION, 2, 10, 0.2),
    "claude-sonnet-5": anthropic(MILLION, 2, 10, 0.2),
    "claude-haiku-5-5": anthropic(MILLION, 0.1, 0.5, 0.01),
    "claude-opus-4-8": anthropic(200_000, 5, 25, 0.5),
    "claude-opus-4-6": anthropic(200_000, 5, 25, 0.5),
    "claude-opus-4-5": anthropic(200_000, 5, 25, 0.5),
    "claude-opus-4-1": anthropic(200_000, 15, 75, 1.5),
    "claude-sonnet-4-6": anthropic(200_000, 3, 15, 0.3),
    "claude-sonnet-4-5": anthropic(200_000, 3, 15, 0.3),
    "claude-haiku-4-5": anthropic(200_000, 1, 5, 0.1),
  },
  openai: {
    "gpt-6.1-sol": facts(922_000, 2, 10, 0.1),
    "gpt-6-sol": facts(922_000, 2, 10, 0.2),
    "gpt-5.5": facts(MILLION, 5, 30, 0.5),
    "gpt-5.4": facts(MILLION, 2.5, 15, 0.25),
    "gpt-5.4-mini": facts(272_000, 0.75, 4.5, 0.075),
    "gpt-5.4-nano": facts(272_000, 0.2, 1.25, 0.02),
    "gpt-5.1": facts(272_000, 1.25, 10, 0.125),
    "gpt-5": facts(272_000, 1.25, 10, 0.125),
    "gpt-5-mini": facts(272_000, 0.25, 2, 0.025),
    "gpt-5-nano": facts(272_000, 0.05, 0.4, 0.005),
    "gpt-4.1": facts(1_047_576, 2, 8, 0.5),
    "gpt-4.1-mini": facts(1_047_576, 0.4, 1.6, 0.1),
    "gpt-4o": facts(128_000, 2.5, 10, 1.25),
    "gpt-4o-mini": facts(128_000, 0.15, 0.6, 0.075),
  },
  google: {
    // Until the end of 2026; twice as much after that.
    "gemini-3.8-flash": facts(1_048_576, 0.75, 3.75, 0.75),
    "gemini-3.5-flash": facts(1_048_576, 1.5, 9, 1.5),
    "gemini-3.5-flash-lite": facts(1_048_576, 0.3, 2.5, 0.3),
    "gemini-3.1-pro-preview": facts(1_048_576, 2, 12, 2),
    "gemini-2.5-pro": facts(1_048_576, 1.25, 10, 0.125),
    "gemini-2.5-flash": facts(1_048_576, 0.3, 2.5, 0.03),
    "gemini-2.5-flash-lite": facts(1_048_576, 0.1, 0.4, 0.01),
  },
};

/** What is known of a model. A date at the end of its name is looked past. */
export function factsOf(provider: string, id: string): ModelFacts | undefined {
  const known = Object.hasOwn(FACTS, provider) ? FACTS[provider] : undefined;
  const name = id.replace(/-(\d{8}|\d{4}-\d{2}-\d{2})$/, "");
  return known !== undefined && Object.hasOwn(known, name) ? known[name] : undefined;
}
