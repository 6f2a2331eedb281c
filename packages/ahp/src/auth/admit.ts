import type { Authenticate, Credentials } from "./credentials.ts";

/** Who was let in, and by what. */
export interface Admitted<C> {
  readonly context: C;
  /** The one credential that opened the door; whatever was shown where nobody asks. */
  readonly by: Credentials;
}

/**
 * A bearer token is looked at first, then an API key, each alone: a credential meant for somebody else on the way
 * does no harm, and a peer is known by the one that counts.
 */
export async function admit<C>(
  authenticate: Authenticate<C> | undefined,
  shown: Credentials,
): Promise<Admitted<C> | null> {
  if (authenticate === undefined) return { context: undefined as C, by: shown };
  for (const by of oneByOne(shown)) {
    const context = await authenticate(by);
    if (context !== null) return { context, by };
  }
  return null;
}

function oneByOne(shown: Credentials): Credentials[] {
  if (shown.apiKey === undefined || shown.token === undefined) return [shown];
  return [
    { ...shown, apiKey: undefined },
    { ...shown, token: undefined },
  ];
}
