import type { Message } from "../../ports/model.ts";

/**
 * The last messages, cut where a person speaks: a model takes no result without its call, and no call without its
 * result. Always holds the last request.
 */
export function windowOf(messages: readonly Message[], most: number): readonly Message[] {
  if (messages.length <= most) return messages;
  const from = messages.length - most;
  const next = messages.findIndex((message, i) => i >= from && message.role === "user");
  const start = next === -1 ? messages.findLastIndex((message) => message.role === "user") : next;
  return messages.slice(Math.max(0, start));
}
