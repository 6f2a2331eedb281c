/** How many tokens a text is, and how that is known. */
export interface TokenCounter {
  /** The name of the encoding, or `estimate` where the model's own tokenizer is not at hand. */
  readonly method: string;
  count(text: string): number;
}

/** The counter for the models of a provider. The estimate until a tokenizer is loaded: nobody waits for one. */
export type TokenCounters = (provider: string) => TokenCounter;
