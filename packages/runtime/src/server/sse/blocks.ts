import type { FairleadError } from "@fairlead/contract";

// What a stream says beside its events. None of it carries data that a client must not miss.

/** First of all: how soon to come back after a cut. */
export const OPENING = "retry: 1000\n\n";

/** An `id:` without data moves the client's cursor past events it was not shown, and dispatches nothing. */
export function cursorBlock(cursor: number): string {
  return `id: ${cursor}\n\n`;
}

/** A comment, so that proxies and dead connections show; with it the cursor, where it has moved unseen. */
export function heartbeat(cursor: number | null): string {
  return cursor === null ? ": keep-alive\n\n" : `: keep-alive\nid: ${cursor}\n\n`;
}

/**
 * Why the server ends a stream. Named `end`, so that clients who do not listen for it see nothing.
 * Who comes back at once finds the reason as an answer: 410, 401, or a stream that goes on.
 */
export function endBlock(error: FairleadError): string {
  const { code, message, hint } = error;
  const soon = code === "shutting_down" ? ": reconnect with your last event id\nretry: 500\n" : "";
  return `${soon}event: end\ndata: ${JSON.stringify({ code, message, hint })}\n\n`;
}
