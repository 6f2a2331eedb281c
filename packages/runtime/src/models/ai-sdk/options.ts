import type { Price } from "../../ports/model.ts";

/** What every provider is opened with. */
export interface ProviderOptions {
  /** The provider's own name of the model. */
  readonly id: string;
  /** Never shown: it is taken out of whatever the provider says. */
  readonly apiKey?: string | undefined;
  readonly baseUrl?: string | undefined;
  /** Sent along, and as secret as the key. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly price?: Price | undefined;
  readonly contextTokens?: number | undefined;
}
