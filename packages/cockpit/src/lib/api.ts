import { type Call, createClient, ServerError } from "@fairlead/client";

/** The server that this page came from; the cookie goes along. */
export const client = createClient({ url: location.origin });
export const call: Call = client.call;

/** What went wrong, for a person. */
export interface Problem {
  readonly code: string;
  readonly message: string;
  readonly hint: string;
}

export function problemOf(error: unknown): Problem {
  if (error instanceof ServerError) {
    const { code, message, hint } = error;
    return { code, message, hint };
  }
  return {
    code: "server_unreachable",
    message: "The server does not answer.",
    hint: "Nothing is lost: what was acknowledged is in the log. The page goes on as soon as it answers again.",
  };
}

export function isCode(error: unknown, ...codes: readonly string[]): boolean {
  return error instanceof ServerError && codes.includes(error.code);
}

/** Names one try of a command: sent again after a cut, it still happens once. */
export function commandKey(): string {
  return `cockpit-${crypto.randomUUID()}`;
}
