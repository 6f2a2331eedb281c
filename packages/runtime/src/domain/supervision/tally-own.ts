import { type EventType, isBlocking, isEventType } from "@fairlead/ahp";
import { type AnyEvent, ID_PREFIXES, type NewEvent } from "@fairlead/contract";
import { add, amount } from "./counts.ts";
import type { Tally } from "./tally.ts";

/** A call that was judged and has not begun. */
export interface CallOfRun {
  /** Nobody objects any more: it counts as an action. */
  passed?: true;
  /** A person was asked. */
  asked?: true;
}

/** What a run of our own leaves in the log, in the place of questions and notifications of the protocol. */
export const OWN_TALLIED = [
  "runtime.policy.decision",
  "agent.usage",
  "agent.output.completed",
  "agent.reflection",
  "agent.tool.start",
  "agent.tool.outcome",
  "runtime.request.completed",
  "runtime.request.failed",
  "runtime.turn.ended",
] as const;

/**
 * Counts an event of a run of our own; false when it is none. The same amounts as for a foreign agent: questions and
 * decisions from the one decision kept of each, actions when they begin, tokens and cost from each model call.
 */
export function countOwn(tally: Tally, event: NewEvent | AnyEvent): boolean {
  const data = event.data as Record<string, unknown>;
  switch (event.type as (typeof OWN_TALLIED)[number]) {
    case "runtime.policy.decision":
      if (!isOfForeignAgent(event)) countDecision(tally, data);
      return true;
    case "agent.usage":
      tally.callTokens += amount(data["total_tokens"]);
      tally.costUsd += amount(data["cost_usd"]);
      return true;
    case "agent.output.completed":
    case "agent.reflection":
      add(tally.events, "post_response");
      return true;
    case "agent.tool.start":
      countStart(tally, data);
      return true;
    case "agent.tool.outcome":
      countOutcome(tally, data);
      return true;
    case "runtime.request.completed":
      add(tally.events, "success");
      return true;
    case "runtime.request.failed":
      countError(tally);
      return true;
    case "runtime.turn.ended":
      // What has not begun by then never will.
      if (data["status"] !== "parked") for (const id of Object.keys(tally.calls)) delete tally.calls[id];
      return true;
    default:
      return false;
  }
}

/** A foreign agent's questions are counted when they are asked and answered; their decisions name the question. */
function isOfForeignAgent({ cause }: NewEvent | AnyEvent): boolean {
  return typeof cause === "string" && cause.startsWith(`${ID_PREFIXES.supervision}_`);
}

function countDecision(tally: Tally, { subject, outcome, tool_name, tool_call_id }: Record<string, unknown>) {
  // Other subjects are no questions: the modes of a turn, what a mode makes of a call.
  if (!isEventType(subject) || !isBlocking(subject as EventType)) return;
  add(tally.events, subject);
  add(tally.decisions, String(outcome));
  if (subject !== "pre_action") return;
  if (typeof tool_name === "string") add(tally.tools, tool_name);
  if (typeof tool_call_id !== "string") return;
  if (outcome === "allow" || outcome === "modify") claim(tally, tool_call_id);
  else if (outcome === "escalate") tally.calls[tool_call_id] = { asked: true };
}

function countStart(tally: Tally, { tool_call_id, attempt }: Record<string, unknown>): void {
  const id = String(tool_call_id);
  const call = tally.calls[id];
  delete tally.calls[id];
  // The same call once more, after its process was lost, is the same action.
  if (amount(attempt) > 1) return;
  tally.actions += 1;
  if (call?.asked === true) add(tally.decisions, "allow");
}

function countOutcome(tally: Tally, { tool_call_id, status }: Record<string, unknown>): void {
  const id = String(tool_call_id);
  const call = tally.calls[id];
  delete tally.calls[id];
  add(tally.events, "post_action");
  if (call?.asked === true && status === "denied") add(tally.decisions, "block");
  if (status === "error" || status === "timeout") countError(tally);
}

function countError(tally: Tally): void {
  add(tally.events, "error");
  tally.errors += 1;
}

/** The call counts from now on, until it begins or ends. Said twice it counts once. */
export function claim(tally: Tally, tool_call_id: string): void {
  (tally.calls[tool_call_id] ??= {}).passed = true;
}

/** The call does not count: somebody objects. */
export function unclaim(tally: Tally, tool_call_id: string): void {
  const call = tally.calls[tool_call_id];
  if (call === undefined) return;
  delete call.passed;
  if (call.asked === undefined) delete tally.calls[tool_call_id];
}

export function claimsOf({ calls }: Tally): number {
  let claims = 0;
  for (const id in calls) if (calls[id]?.passed === true) claims += 1;
  return claims;
}
