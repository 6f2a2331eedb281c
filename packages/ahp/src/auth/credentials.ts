import type { Awaitable } from "../awaitable.ts";

/** What an agent shows: an API key or a bearer token. */
export type Auth = { readonly apiKey: string } | { readonly token: string };

/** What a server sees of a peer that wants in. */
export interface Credentials {
  readonly apiKey: string | undefined;
  readonly token: string | undefined;
  readonly remoteAddress: string | undefined;
}

/** Asked with one credential at a time: a token before an API key. The context that the handlers will get, or null: not welcome. */
export type Authenticate<C> = (credentials: Credentials) => Awaitable<C | null>;
