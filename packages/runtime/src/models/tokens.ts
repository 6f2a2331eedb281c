import type { TokenCounter, TokenCounters } from "../ports/tokens.ts";

/** Longer texts are counted in part: a tokenizer takes its time, and nothing hangs on the last token. */
const MOST_CHARS = 50_000;

/** OpenAI publishes its tokenizer; the others do not, and their texts are estimated. */
export function tokenCounters(estimate: TokenCounter): TokenCounters {
  let openai: TokenCounter | undefined;
  let loading: Promise<void> | undefined;

  async function load(): Promise<void> {
    const { countTokens } = await import("gpt-tokenizer/encoding/o200k_base");
    openai = {
      method: "o200k_base",
      count(text) {
        if (text.length <= MOST_CHARS) return countTokens(text);
        return Math.ceil((countTokens(text.slice(0, MOST_CHARS)) * text.length) / MOST_CHARS);
      },
    };
  }

  return (provider) => {
    if (provider !== "openai") return estimate;
    loading ??= load().catch(() => {});
    return openai ?? estimate;
  };
}
