import type { AnyEvent, EventData } from "@fairlead/contract";
import { is } from "../event.ts";

/** What happened in a turn, counted: the summary of its cognition is made of this and of nothing else. */
export interface TurnFacts {
  /** Beside the request itself: what was said meanwhile. */
  heard: number;
  /** What was meant, as a supervisor understood it. */
  intent: DetectedIntent | null;
  /** What the model was given to know, by whom and about what. */
  injected: { source: string; subject: string }[];
  retrievals: number;
  citations: number;
  /** The first of these: where they are from. */
  cited: { path: string; lines: readonly [number, number]; score: number }[];
  /** Outcomes of rules and supervisors, by subject. */
  policy: Record<string, Record<string, number>>;
  /** How the calls of each tool ended. */
  tools: Record<string, Record<string, number>>;
  /** What people decided. */
  approvals: { tool: string; decision: string; by: string }[];
  asked: number;
  /** What hooks stopped. */
  hookBlocks: number;
  misfits: number;
  repairs: number;
}

export interface DetectedIntent {
  readonly intent: string;
  readonly confidence: number;
  readonly by: string;
}

export function newFacts(): TurnFacts {
  return {
    heard: 0,
    intent: null,
    injected: [],
    retrievals: 0,
    citations: 0,
    cited: [],
    policy: {},
    tools: {},
    approvals: [],
    asked: 0,
    hookBlocks: 0,
    misfits: 0,
    repairs: 0,
  };
}

export const FACT_TYPES = [
  "runtime.input.taken",
  "runtime.context.injected",
  "runtime.retrieval.completed",
  "runtime.policy.decision",
  "runtime.hook.event",
  "runtime.question.asked",
  "runtime.question.decided",
  "agent.tool.outcome",
  "agent.tool.invalid",
] as const;

/** Of each list: a turn may be long, and its summary is read by people. */
const MOST = 50;

export function countFact(facts: TurnFacts, event: AnyEvent): void {
  if (is(event, "runtime.input.taken")) facts.heard += event.data.dropped === undefined ? 1 : 0;
  else if (is(event, "runtime.context.injected")) {
    const { source, subject, text } = event.data;
    if (text !== "" && facts.injected.length < MOST) facts.injected.push({ source, subject });
  } else if (is(event, "runtime.retrieval.completed")) {
    facts.retrievals += 1;
    facts.citations += event.data.citations.length;
    facts.cited = [...facts.cited, ...event.data.citations.flatMap(placeOf)].slice(0, MOST);
  } else if (is(event, "runtime.policy.decision")) {
    add(facts.policy, event.data.subject, event.data.outcome);
    facts.intent = intentOf(event.data) ?? facts.intent;
  } else if (is(event, "runtime.hook.event")) {
    // One that was broken off has said nothing.
    if (event.data.blocks === true && event.data.status !== "cancelled") facts.hookBlocks += 1;
  } else if (is(event, "runtime.question.asked")) facts.asked += 1;
  else if (is(event, "runtime.question.decided")) {
    const { tool_name: tool, decision, actor: by } = event.data;
    if (facts.approvals.length < MOST) facts.approvals.push({ tool, decision, by });
  } else if (is(event, "agent.tool.outcome")) add(facts.tools, event.data.tool_name, event.data.status);
  else if (is(event, "agent.tool.invalid")) {
    if (event.data.repaired === true) facts.repairs += 1;
    else facts.misfits += 1;
  }
}

function add(table: Record<string, Record<string, number>>, name: string, kind: string): void {
  const row = Object.hasOwn(table, name) ? (table[name] as Record<string, number>) : (table[name] = {});
  row[kind] = (Object.hasOwn(row, kind) ? (row[kind] as number) : 0) + 1;
}

function intentOf({
  subject,
  outcome,
  source,
  details,
}: EventData<"runtime.policy.decision">): DetectedIntent | undefined {
  if (subject !== "intent_detection" || outcome !== "allow") return undefined;
  const { detected_intent: intent, confidence } = details ?? {};
  if (typeof intent !== "string" || typeof confidence !== "number") return undefined;
  return { intent: intent.slice(0, INTENT_CHARS), confidence, by: source };
}

const INTENT_CHARS = 200;

/** Where a citation is from, without what it says. Nothing of one in a form that this program does not know. */
function placeOf(citation: Readonly<Record<string, unknown>>): TurnFacts["cited"] {
  const { path, lines, score } = citation;
  if (typeof path !== "string" || typeof score !== "number" || !Array.isArray(lines)) return [];
  const [from, to] = lines as unknown[];
  return typeof from === "number" && typeof to === "number" ? [{ path, lines: [from, to], score }] : [];
}
