import type { AnyEvent, EventData } from "@fairlead/contract";
import { is } from "../event.ts";

/** What happened in a turn, counted: the summary of its cognition is made of this and of nothing else. */
export interface TurnFacts {
  /** Beside the request itself: what was said meanwhile. */
  heard: number;
  /** What supervisors were asked about and gave to know. */
  injected: string[];
  retrievals: number;
  citations: number;
  /** Outcomes of rules and supervisors, by subject. */
  policy: Record<string, Record<string, number>>;
  /** How the calls of each tool ended. */
  tools: Record<string, Record<string, number>>;
  /** What people decided. */
  approvals: { tool: string; decision: string; by: string }[];
  asked: number;
  misfits: number;
  repairs: number;
}

export function newFacts(): TurnFacts {
  return {
    heard: 0,
    injected: [],
    retrievals: 0,
    citations: 0,
    policy: {},
    tools: {},
    approvals: [],
    asked: 0,
    misfits: 0,
    repairs: 0,
  };
}

export const FACT_TYPES = [
  "runtime.input.taken",
  "runtime.context.injected",
  "runtime.retrieval.completed",
  "runtime.policy.decision",
  "runtime.question.asked",
  "runtime.question.decided",
  "agent.tool.outcome",
  "agent.tool.invalid",
] as const;

const MOST_APPROVALS = 50;

export function countFact(facts: TurnFacts, event: AnyEvent): void {
  if (is(event, "runtime.input.taken")) facts.heard += event.data.dropped === undefined ? 1 : 0;
  else if (is(event, "runtime.context.injected")) {
    if (event.data.text !== "") facts.injected.push(event.data.subject);
  } else if (is(event, "runtime.retrieval.completed")) {
    facts.retrievals += 1;
    facts.citations += event.data.citations.length;
  } else if (is(event, "runtime.policy.decision")) {
    add(facts.policy, event.data.subject, event.data.outcome);
  } else if (is(event, "runtime.question.asked")) facts.asked += 1;
  else if (is(event, "runtime.question.decided")) {
    const { tool_name: tool, decision, actor: by } = event.data;
    if (facts.approvals.length < MOST_APPROVALS) facts.approvals.push({ tool, decision, by });
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

export interface Circumstances {
  readonly input: string;
  readonly agent: string;
  readonly model: string | null;
  readonly permission_mode: string;
  readonly approval_mode: string;
  readonly depth: number;
  readonly steps: number;
  readonly tokens: number;
  readonly cost_usd: number;
}

/** What was perceived, remembered, decided, and under whose identity and limits. Facts only. */
export function cognitionOf(facts: TurnFacts, around: Circumstances): EventData<"runtime.cognition.summary"> {
  const { input, agent, model, permission_mode, approval_mode, depth, steps, tokens, cost_usd } = around;
  const outcomes = (of: Record<string, Record<string, number>>, kind: string) =>
    Object.values(of).reduce((sum, row) => sum + (row[kind] ?? 0), 0);
  const calls = Object.values(facts.tools).reduce(
    (sum, row) => sum + Object.values(row).reduce((a, b) => a + b, 0),
    0,
  );
  const guardrails = [
    { name: "denied_calls", count: outcomes(facts.tools, "denied") },
    { name: "blocked_by_policy", count: outcomes(facts.policy, "block") },
    { name: "escalated", count: outcomes(facts.policy, "escalate") },
    { name: "asked_of_people", count: facts.asked },
    { name: "invalid_calls", count: facts.misfits },
    { name: "repaired_calls", count: facts.repairs },
  ];
  const stopped = guardrails.filter(({ count }) => count > 0).map(({ name, count }) => `${name} ${count}`);
  return {
    summary: `${steps} step(s), ${calls} tool call(s)${stopped.length === 0 ? "" : `; ${stopped.join(", ")}`}.`,
    guardrails,
    details: {
      perceived: { input_chars: input.length, heard_meanwhile: facts.heard, injected: facts.injected },
      remembered: { retrievals: facts.retrievals, citations: facts.citations },
      decided: { policy: facts.policy, tools: facts.tools, approvals: facts.approvals },
      identity: { agent, model, depth, permission_mode, approval_mode },
      spent: { steps, tokens, cost_usd },
    },
  };
}
