import { type Call, createClient, ServerError } from "@fairlead/client";
import { localTimes, pageHint } from "./page-words.ts";
import { streamFetch } from "./stream-fetch.ts";
import { clockTime } from "./time.ts";

/** The server that this page came from; the cookie goes along. */
export const client = createClient({ url: location.origin, fetch: streamFetch });
export const call: Call = client.call;

/** Of a problem that passes by itself. */
export const UNREACHABLE = "server_unreachable";

/** What went wrong, for a person. */
export interface Problem {
  readonly code: string;
  readonly message: string;
  readonly hint: string;
}

export function problemOf(error: unknown): Problem {
  if (error instanceof ServerError) {
    const { code, message, hint } = error;
    return { code, message: localTimes(message, clockTime), hint: pageHint(code, hint) };
  }
  return {
    code: UNREACHABLE,
    message: "The server does not answer.",
    hint: "Nothing is lost: what was acknowledged is in the log. The page goes on as soon as it answers again.",
  };
}

export function isCode(error: unknown, ...codes: readonly string[]): boolean {
  return error instanceof ServerError && codes.includes(error.code);
}

/**
 * Names one try of a command: sent again after a cut, it still happens once. Not `randomUUID`, which a page has only
 * over https or from its own machine.
 */
export function commandKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return `cockpit-${Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}
