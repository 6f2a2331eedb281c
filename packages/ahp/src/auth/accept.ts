import { createHash, timingSafeEqual } from "node:crypto";

import type { Authenticate, Credentials } from "./credentials.ts";

export interface AcceptOptions<C> {
  readonly apiKeys?: readonly string[];
  readonly tokens?: readonly string[];
  readonly context: C;
}

/** Lets in whoever shows one of these secrets. */
export function acceptCredentials<C>(options: AcceptOptions<C>): Authenticate<C> {
  const keys = (options.apiKeys ?? []).map(digest);
  const tokens = (options.tokens ?? []).map(digest);
  return ({ apiKey, token }) => (isOneOf(apiKey, keys) || isOneOf(token, tokens) ? options.context : null);
}

/** Names a peer by what it was let in with and where it is, without keeping the secret. */
export function callerKey(by: Credentials): string {
  return `${secretOf(by) ?? "anonymous"}@${by.remoteAddress ?? ""}`;
}

/** As `callerKey`, wherever it is: who shows a credential from many addresses is one. */
export function ownerKey(by: Credentials): string {
  return secretOf(by) ?? callerKey(by);
}

function secretOf({ apiKey, token }: Credentials): string | undefined {
  if (apiKey === undefined && token === undefined) return undefined;
  // Together, because where nobody asks both may be shown, and either may be a placeholder.
  return digest(JSON.stringify([token, apiKey])).toString("base64url");
}

/** Takes the same time wherever the first difference is, and whichever secret matches. */
function isOneOf(given: string | undefined, accepted: readonly Buffer[]): boolean {
  if (given === undefined) return false;
  const shown = digest(given);
  let matches = 0;
  for (const secret of accepted) matches += Number(timingSafeEqual(shown, secret));
  return matches > 0;
}

/** Of equal length, as the comparison needs. */
function digest(secret: string): Buffer {
  return createHash("sha256").update(secret).digest();
}
