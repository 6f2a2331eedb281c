import type { Message } from "../../ports/model.ts";
import type { TokenCounter } from "../../ports/tokens.ts";
import { digest, isRequest, type Kept } from "./digest.ts";
import { messageTokens } from "./estimate.ts";

export interface Compaction {
  /** How many of the last messages stay as they are. */
  readonly preserved: number;
  /** What stands in the place of the others. */
  readonly summary: string;
  readonly tokens_saved: number;
}

/** What a conversation is made to fit into. */
export interface Room {
  /** For the messages that stay. */
  readonly tokens: number;
  /** The most messages that a model is told. */
  readonly messages: number;
  /** For the digest, the request under way aside, in tokens. */
  readonly digest: number;
}

/**
 * Folds the older messages into a digest of facts: what was asked, which tools ran and how they ended, what was concluded.
 * The recent work stays as it is. Undefined when there is nothing to gain.
 */
export function compact(
  messages: readonly Message[],
  room: Room,
  kept: Kept,
  counter: TokenCounter,
): Compaction | undefined {
  const preserved = recent(messages, room, counter);
  const cutAt = messages.length - preserved;
  const dropped = messages.slice(0, cutAt);
  if (dropped.length < 2) return undefined;
  const isThere = messages.slice(cutAt).some((message) => isRequest(message, kept.request));
  const summary = digest(dropped, isThere ? { ...kept, request: undefined } : kept, room.digest, counter);
  const before = dropped.reduce((sum, message) => sum + messageTokens(message, counter), 0);
  const saved = before - counter.count(summary);
  // Where there are too many, fewer messages are a gain of their own.
  if (saved <= 0 && messages.length <= room.messages) return undefined;
  return { preserved, summary, tokens_saved: Math.max(0, saved) };
}

/** As many of the last messages as fit, but not from a result on: without its call no model takes it. */
function recent(messages: readonly Message[], room: Room, counter: TokenCounter): number {
  // Half of them: or the next message would be one too many again.
  const most = Math.max(1, Math.floor(room.messages / 2));
  let tokens = 0;
  let from = messages.length;
  for (let at = messages.length - 1; at >= 0; at--) {
    tokens += messageTokens(messages[at] as Message, counter);
    const full = tokens > room.tokens || messages.length - at > most;
    if (full && from < messages.length) break;
    if (messages[at]?.role !== "tool") from = at;
  }
  return messages.length - from;
}
