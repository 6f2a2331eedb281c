import type { Message } from "../../ports/model.ts";
import type { TokenCounter } from "../../ports/tokens.ts";

/** What must not be forgotten, whatever is dropped. */
export interface Kept {
  /** What is being worked on, whole. */
  readonly request?: string | undefined;
  /** Of the last task list: those not done. */
  readonly tasks: readonly string[];
  /** What people decided, the newest last. */
  readonly decisions: readonly string[];
}

/** How a digest begins. */
export const DIGEST_MARK = "[Summary of earlier work, made from the record]";
const TASKS = "Open tasks:";
const DECISIONS = "Decisions of people:";
/** The last section: a request has lines of its own, and all that follows is part of it. */
const REQUEST = "The request under way, word for word:";
/** Stands among the steps where the request under way was made. */
const REQUEST_STEP = "- Asked: the request under way, see the end";
const EARLIER = /^… (\d+) earlier steps$/;

const MOST_STEPS = 60;
const LINE_CHARS = 240;
/** Tasks and decisions may each take this share, so that steps are left. */
const SECTION = 0.3;

/** The summary that stands in the place of what was folded before. A person's message is never one, whatever it says. */
export function isDigest(message: Message | undefined): boolean {
  return message?.role === "user" && message.injected === true && message.text.startsWith(DIGEST_MARK);
}

/**
 * What was dropped, in lines. Of an earlier digest only the steps are carried on: tasks, decisions and the request are
 * said once, as they are now. All but the request stays within `room` tokens; the oldest steps go first.
 */
export function digest(dropped: readonly Message[], kept: Kept, room: number, counter: TokenCounter): string {
  const { earlier, steps } = stepsOf(dropped, kept.request);
  const share = room * SECTION;
  const tasks = fitting(kept.tasks.map(bullet), share, counter);
  const decisions = fitting(kept.decisions.map(bullet).toReversed(), share, counter).toReversed();
  const sections = [
    ...(tasks.length === 0 ? [] : [TASKS, ...tasks]),
    ...(decisions.length === 0 ? [] : [DECISIONS, ...decisions]),
  ];
  const frame = [DIGEST_MARK, "… 000000 earlier steps", REQUEST, ...sections];
  const left = room - frame.reduce((sum, line) => sum + lineTokens(line, counter), 0);
  const shown = fitting(steps.slice(-MOST_STEPS).toReversed(), left, counter).toReversed();
  const hidden = earlier + steps.length - shown.length;
  return [
    DIGEST_MARK,
    ...(hidden === 0 ? [] : [`… ${hidden} earlier steps`]),
    ...shown,
    ...sections,
    ...(kept.request === undefined ? [] : [REQUEST, kept.request]),
  ].join("\n");
}

interface Steps {
  /** How many went before. */
  readonly earlier: number;
  readonly steps: readonly string[];
}

function stepsOf(dropped: readonly Message[], request: string | undefined): Steps {
  const [first] = dropped;
  const carried = first !== undefined && isDigest(first) ? carriedSteps(first.text, request) : undefined;
  const asked = dropped.findLastIndex((message) => isRequest(message, request));
  const steps = [...(carried?.steps ?? [])];
  for (const [i, message] of dropped.entries()) {
    if (i === 0 && carried !== undefined) continue;
    steps.push(...(i === asked ? [REQUEST_STEP] : linesOf(message)));
  }
  return { earlier: carried?.earlier ?? 0, steps };
}

export function isRequest(message: Message, request: string | undefined): boolean {
  return message.role === "user" && message.injected !== true && message.text === request;
}

/** The request that a digest ends with; undefined also where the message is no digest. */
export function digestedRequest(message: Message | undefined): string | undefined {
  return message !== undefined && isDigest(message) ? requestIn(message.text) : undefined;
}

function requestIn(digest: string): string | undefined {
  const at = digest.indexOf(`\n${REQUEST}\n`);
  return at === -1 ? undefined : digest.slice(at + REQUEST.length + 2);
}

/** A request that is no longer under way becomes a step like any other. */
function carriedSteps(text: string, request: string | undefined): Steps {
  const [, ...lines] = text.split("\n");
  const end = lines.findIndex((line) => !/^(- | {2}|… )/.test(line));
  const steps = end === -1 ? lines : lines.slice(0, end);
  const was = requestIn(text);
  const earlier = Number(EARLIER.exec(steps[0] ?? "")?.[1] ?? 0);
  return {
    earlier,
    steps: steps
      .slice(earlier === 0 ? 0 : 1)
      .map((line) => (line === REQUEST_STEP && was !== undefined && was !== request ? asked(was) : line)),
  };
}

function linesOf(message: Message): readonly string[] {
  switch (message.role) {
    case "system":
      return [];
    case "user":
      return [message.injected === true ? `- Told: ${cut(message.text)}` : asked(message.text)];
    case "assistant": {
      const said = message.text.trim() === "" ? [] : [`- Said: ${cut(message.text)}`];
      const calls = message.tool_calls ?? [];
      return [...said, ...calls.map((call) => `- Called ${call.name} ${cut(call.arguments, 120)}`)];
    }
    case "tool":
      return [`  ${message.failed ? "failed" : "gave"}: ${cut(message.text, 120)}`];
  }
}

function asked(text: string): string {
  return `- Asked: ${cut(text)}`;
}

function bullet(text: string): string {
  return `- ${cut(text)}`;
}

/** As many of the first lines as there is room for. */
function fitting(lines: readonly string[], room: number, counter: TokenCounter): readonly string[] {
  let left = room;
  const end = lines.findIndex((line) => (left -= lineTokens(line, counter)) < 0);
  return end === -1 ? lines : lines.slice(0, end);
}

function lineTokens(line: string, counter: TokenCounter): number {
  return counter.count(line) + 1;
}

function cut(text: string, most = LINE_CHARS): string {
  const line = text.trim().replaceAll(/\s+/g, " ");
  return line.length > most ? `${line.slice(0, most - 1)}…` : line;
}
