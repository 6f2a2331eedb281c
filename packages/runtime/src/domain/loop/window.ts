import type { Message } from "../../ports/model.ts";
import { isDigest, isRequest } from "../context/digest.ts";

/**
 * The last resort where a conversation has too many messages and cannot be folded: the last ones, cut where somebody
 * speaks, since a model takes no result without its call, and no call without its result. The digest of earlier work and
 * the request under way are always there, also when that makes it longer.
 */
export function windowOf(messages: readonly Message[], most: number, request?: string): readonly Message[] {
  if (messages.length <= most) return messages;
  const head = isDigest(messages[0]) ? messages.slice(0, 1) : [];
  const from = messages.length - most + head.length;
  const next = messages.findIndex((message, i) => i >= from && message.role === "user");
  const start = Math.min(next === -1 ? messages.length : next, requestAt(messages, request));
  return start <= head.length ? messages : [...head, ...messages.slice(start)];
}

/** Where the request is; where nobody knows, what a person said last, or anybody. */
function requestAt(messages: readonly Message[], request: string | undefined): number {
  const exact = messages.findLastIndex((message) => isRequest(message, request));
  if (exact !== -1) return exact;
  const person = messages.findLastIndex((message) => message.role === "user" && message.injected !== true);
  if (person !== -1) return person;
  return Math.max(
    0,
    messages.findLastIndex(({ role }) => role === "user"),
  );
}
