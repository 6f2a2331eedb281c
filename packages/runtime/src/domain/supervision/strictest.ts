import type { EventType } from "@fairlead/ahp";
import { AHP_EVENTS, GenericDecision } from "@fairlead/ahp";
import type { AnyDecision } from "../../ports/supervisor.ts";
import { canonicalJson } from "../canonical.ts";
import { decisionsOf, strictness } from "../policy/strictness.ts";

/** The strictest of some answers; the first of those that are equally strict. */
export function strictest<A extends { readonly decision: AnyDecision }>(
  type: EventType,
  answers: readonly A[],
): A | undefined {
  let found: A | undefined;
  for (const answer of answers) {
    if (found === undefined || rank(type, answer) > rank(type, found)) found = answer;
  }
  return found;
}

function rank(type: EventType, answer: { readonly decision: AnyDecision }): number {
  const place = strictness(type, answer.decision.decision);
  // What is no decision of this type should never get here. If it does, nothing is stricter.
  return place === -1 ? Number.POSITIVE_INFINITY : place;
}

/** Nothing that others say can make it stricter. */
export function isFinal(type: EventType, decision: AnyDecision): boolean {
  return rank(type, { decision }) >= decisionsOf(type).length - 1;
}

/** A decision of the event type, in the protocol's own form; undefined for anything else. */
export function readDecision(type: EventType, value: unknown): AnyDecision | undefined {
  if (isGate(type) && isPlainYes(value)) return value;
  const parsed = (AHP_EVENTS[type].decision ?? GenericDecision).safeParse(value);
  if (!parsed.success) return undefined;
  const decision = parsed.data as AnyDecision;
  return isHollow(type, decision) ? undefined : decision;
}

/** The usual answer to a gate, with nothing in it that a schema would have to look at. */
function isPlainYes(value: unknown): value is AnyDecision {
  if (typeof value !== "object" || value === null) return false;
  return (value as AnyDecision).decision === "allow" && Object.keys(value).length === 1;
}

/** A change of the payload that does not say to what: nobody may read it as "no change". */
export function isHollow(type: EventType, decision: AnyDecision): boolean {
  return isGate(type) && decision.decision === "modify" && (decision["modified_payload"] ?? null) === null;
}

/** Whether the type is answered with the generic decision, which can change the payload. */
export function isGate(type: EventType): boolean {
  return type === "pre_action" || type === "pre_prompt";
}

/** What the payload becomes by this decision; undefined when it stays as it is. */
export function changedPayload(
  type: EventType,
  decision: AnyDecision,
  payload: unknown,
): { readonly payload: unknown } | undefined {
  if (type === "planning") return changedTask(decision, payload);
  if (!isGate(type) || (decision.decision !== "modify" && decision.decision !== "allow")) return undefined;
  const modified = decision["modified_payload"];
  if (modified === undefined || modified === null) return undefined;
  return canonicalJson(modified) === canonicalJson(payload) ? undefined : { payload: modified };
}

/** A task that was put in the place of another is looked at like one that an agent came with. */
function changedTask(decision: AnyDecision, payload: unknown): { readonly payload: unknown } | undefined {
  const task = decision["modified_task"];
  if (decision.decision !== "modify" || typeof task !== "string" || taskOf(payload) === task)
    return undefined;
  return { payload: { ...(payload as object), task_description: task } };
}

export function taskOf(payload: unknown): unknown {
  return (payload as { task_description?: unknown } | null)?.task_description;
}
