import type { Message } from "../../ports/model.ts";
import type { TokenCounter } from "../../ports/tokens.ts";
import { messageTokens } from "./estimate.ts";

export interface Compaction {
  /** How many of the last messages stay as they are. */
  readonly preserved: number;
  /** What stands in the place of the others. */
  readonly summary: string;
  readonly tokens_saved: number;
}

/** What must not be forgotten, whatever is dropped. */
export interface Kept {
  /** What is being worked on, whole. */
  readonly request?: string;
  /** Of the last task list: those not done. */
  readonly tasks: readonly string[];
  /** What people decided. */
  readonly decisions: readonly string[];
}

type Digested = Omit<Kept, "request"> & { readonly request?: string | undefined };

const MOST_LINES = 60;
const LINE_CHARS = 240;

/**
 * Folds the older messages into a digest of facts: what was asked, which tools ran and how they ended, what was concluded.
 * The recent work stays as it is. Undefined when there is nothing to gain.
 */
export function compact(
  messages: readonly Message[],
  budget: number,
  kept: Kept,
  counter: TokenCounter,
): Compaction | undefined {
  const preserved = recent(messages, budget, counter);
  const dropped = messages.slice(0, messages.length - preserved);
  if (dropped.length < 2) return undefined;
  const underWay = kept.request !== undefined && !isThere(messages.slice(-preserved), kept.request);
  const summary = digest(dropped, underWay ? kept : { ...kept, request: undefined });
  const before = dropped.reduce((sum, message) => sum + messageTokens(message, counter), 0);
  const saved = before - counter.count(summary);
  return saved <= 0 ? undefined : { preserved, summary, tokens_saved: saved };
}

/** As many of the last messages as fit, but not from a result on: without its call no model takes it. */
function recent(messages: readonly Message[], budget: number, counter: TokenCounter): number {
  let tokens = 0;
  let from = messages.length;
  for (let at = messages.length - 1; at >= 0; at--) {
    tokens += messageTokens(messages[at] as Message, counter);
    if (tokens > budget && from < messages.length) break;
    if (messages[at]?.role !== "tool") from = at;
  }
  return messages.length - from;
}

/** The summary of an earlier compaction is carried on, not summed up again. */
export const DIGEST_MARK = "[Summary of earlier work, made from the record]";

function isThere(messages: readonly Message[], request: string): boolean {
  return messages.some(({ role, text }) => role === "user" && text === request);
}

function digest(dropped: readonly Message[], { request, tasks, decisions }: Digested): string {
  const lines: string[] = [];
  const [first] = dropped;
  const carried = first?.role === "user" && first.text.startsWith(DIGEST_MARK) ? first.text : undefined;
  for (const message of carried === undefined ? dropped : dropped.slice(1)) {
    const line = lineOf(message);
    if (line !== undefined) lines.push(line);
  }
  const shown =
    lines.length > MOST_LINES
      ? [`… ${lines.length - MOST_LINES} earlier steps`, ...lines.slice(-MOST_LINES)]
      : lines;
  return [
    carried ?? DIGEST_MARK,
    ...shown,
    ...(request === undefined ? [] : ["The request under way, word for word:", request]),
    ...(tasks.length === 0 ? [] : ["Open tasks:", ...tasks.map((task) => `- ${cut(task)}`)]),
    ...(decisions.length === 0 ? [] : ["Decisions of people:", ...decisions.map((one) => `- ${cut(one)}`)]),
  ].join("\n");
}

function lineOf(message: Message): string | undefined {
  switch (message.role) {
    case "system":
      return undefined;
    case "user":
      return `- Asked: ${cut(message.text)}`;
    case "assistant": {
      const calls = (message.tool_calls ?? []).map((call) => `${call.name} ${cut(call.arguments, 120)}`);
      const said = message.text.trim() === "" ? undefined : `- Said: ${cut(message.text)}`;
      return [said, ...calls.map((call) => `- Called ${call}`)].filter(Boolean).join("\n") || undefined;
    }
    case "tool":
      return `  ${message.failed ? "failed" : "gave"}: ${cut(message.text, 120)}`;
  }
}

function cut(text: string, most = LINE_CHARS): string {
  const line = text.trim().replaceAll(/\s+/g, " ");
  return line.length > most ? `${line.slice(0, most - 1)}…` : line;
}
