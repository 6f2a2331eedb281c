import { type AnyEvent, type ComparedSide, lineOf } from "@fairlead/contract";
import { is } from "./event.ts";

/** What a session did, counted event by event. */
export type Deeds = Pick<
  ComparedSide,
  "events" | "event_types" | "turns" | "tools" | "questions" | "total_tokens" | "cost_usd" | "priced"
>;

const LINE = 200;
/** Of a long session the last turns are shown. */
const MOST_TURNS = 200;

export function noDeeds(): Deeds {
  return {
    events: 0,
    event_types: {},
    turns: [],
    tools: {},
    questions: { asked: 0, approved: 0, denied: 0 },
    total_tokens: 0,
    cost_usd: 0,
    priced: false,
  };
}

/** Changes the deeds it is given: thousands of events are folded one after another. */
export function countDeed(deeds: Deeds, event: AnyEvent): void {
  // Not of the session: it says what was trimmed.
  if (is(event, "runtime.log.gap")) return;
  deeds.events += 1;
  deeds.event_types[event.type] = (deeds.event_types[event.type] ?? 0) + 1;
  if (is(event, "runtime.request.started")) {
    const { turn_id, input } = event.data;
    deeds.turns.push({ turn_id, input: lineOf(input, LINE), outcome: "open", result: null });
    if (deeds.turns.length > MOST_TURNS) deeds.turns.shift();
  }
  if (is(event, "runtime.request.completed")) end(deeds, event, "completed", event.data.output);
  if (is(event, "runtime.request.failed")) end(deeds, event, "failed", event.data.error);
  if (is(event, "runtime.request.cancelled")) end(deeds, event, "cancelled", event.data.reason);
  if (is(event, "agent.tool.outcome")) {
    const { tool_name, status } = event.data;
    const tool = (deeds.tools[tool_name] ??= {});
    tool[status] = (tool[status] ?? 0) + 1;
  }
  if (is(event, "agent.usage")) {
    deeds.total_tokens += event.data.total_tokens;
    deeds.cost_usd += event.data.cost_usd ?? 0;
    deeds.priced ||= event.data.cost_usd !== undefined;
  }
  if (is(event, "runtime.question.asked")) deeds.questions.asked += 1;
  if (is(event, "runtime.question.decided")) deeds.questions[DECIDED[event.data.decision] ?? "denied"] += 1;
}

const DECIDED: Readonly<Record<string, "approved" | "denied">> = { approved: "approved", edited: "approved" };

function end(
  { turns }: Deeds,
  { turn_id }: AnyEvent,
  outcome: "completed" | "failed" | "cancelled",
  said: string | undefined,
): void {
  const result = said === undefined ? null : lineOf(said, LINE);
  const at = turns.findLastIndex((turn) => turn.turn_id === turn_id);
  const turn = turns[at];
  if (turn !== undefined) turns[at] = { ...turn, outcome, result };
  // Open where they part: what was asked is shared, and what came of it is not.
  else if (turn_id !== null) turns.push({ turn_id, input: "", outcome, result });
}
