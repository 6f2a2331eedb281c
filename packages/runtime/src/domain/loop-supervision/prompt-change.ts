import type { Message } from "../../ports/model.ts";
import { isRecord } from "../is-record.ts";

/** What a supervisor put in the place of a prompt. */
export interface PromptChange {
  /** Of the user's last message. */
  readonly prompt?: string;
  /** Of the messages that the model has not seen yet, each in its place. */
  readonly contents?: readonly string[];
}

/** A changed `pre_prompt` payload, or a text in the place of the prompt; undefined when it says neither. */
export function promptChange(payload: unknown): PromptChange | undefined {
  if (typeof payload === "string") return { prompt: payload };
  if (!isRecord(payload)) return undefined;
  const { prompt, messages } = payload;
  const contents = messages === undefined ? undefined : contentsOf(messages);
  if (messages !== undefined && contents === undefined) return undefined;
  if (prompt !== undefined && typeof prompt !== "string") return undefined;
  if (prompt === undefined && contents === undefined) return undefined;
  return {
    ...(prompt === undefined ? {} : { prompt }),
    ...(contents === undefined ? {} : { contents }),
  };
}

function contentsOf(messages: unknown): readonly string[] | undefined {
  if (!Array.isArray(messages)) return undefined;
  const contents = messages.map((message) => (isRecord(message) ? message["content"] : undefined));
  return contents.every((content) => typeof content === "string") ? (contents as string[]) : undefined;
}

/** Where the messages begin that the model has not seen: after the last thing it said itself. */
export function freshFrom(messages: readonly Message[]): number {
  const own = messages.findLastIndex(({ role }) => role === "assistant");
  return Math.max(own + 1, messages[0]?.role === "system" ? 1 : 0);
}

export function lastPrompt(messages: readonly Message[]): number {
  return messages.findLastIndex((message) => message.role === "user" && message.injected !== true);
}

/**
 * The conversation with the change made; undefined when it does not fit: then nobody knows what was meant. Where both say
 * something about the user's last message, that which differs from what was asked counts, `prompt` first.
 */
export function withChange(
  messages: readonly Message[],
  change: PromptChange,
): readonly Message[] | undefined {
  const made = [...messages];
  const first = freshFrom(messages);
  const { prompt, contents } = change;
  if (contents !== undefined) {
    if (contents.length !== messages.length - first) return undefined;
    for (const [i, text] of contents.entries()) made[first + i] = { ...made[first + i]!, text };
  }
  if (prompt === undefined) return made;
  const at = lastPrompt(messages);
  const asked = messages[at];
  if (asked === undefined) return undefined;
  if (asked.text !== prompt) made[at] = { ...asked, text: prompt };
  return made;
}
