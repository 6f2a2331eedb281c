import type { BlockingType } from "@fairlead/ahp";
import { FAIL_CLOSED } from "@fairlead/ahp";
import type { StoredQuestion } from "../../domain/question.ts";
import { isGate } from "../../domain/supervision/strictest.ts";
import type { AnyDecision } from "../../ports/supervisor.ts";

/** Types whose `escalate` is a question for a person: the others have no such decision. */
export function asksPerson(type: BlockingType, decision: AnyDecision): boolean {
  return decision.decision === "escalate" && (isGate(type) || type === "confirmation");
}

/** What the agent is told while nobody has decided: it may come again. */
export function waitingAnswer(type: BlockingType, retryAfterMs: number, reason: string): AnyDecision {
  if (type === "confirmation") return { decision: "escalate" };
  if (!isGate(type) && type !== "idle") return FAIL_CLOSED[type](reason) as AnyDecision;
  return { decision: "defer", retry_after_ms: retryAfterMs, reason };
}

/** A yes, with the payload as it was shown. */
export function yes(type: BlockingType, asked: unknown, effective: unknown): AnyDecision {
  if (type === "confirmation") return { decision: "approve" };
  return asked === effective ? { decision: "allow" } : { decision: "modify", modified_payload: effective };
}

/** A no, with the person's own words where there are any. */
export function no(type: BlockingType, { state, actor, note }: StoredQuestion): AnyDecision {
  const who = state === "expired" ? "Nobody decided in time." : `Denied by ${actor}.`;
  const edit = state === "edited" ? "The change cannot be passed on to the agent." : undefined;
  return FAIL_CLOSED[type](note ?? edit ?? who) as AnyDecision;
}

/** What a person put in the place of the payload: all of it, or of an action only its arguments. */
export function editedPayload(effective: unknown, edited: unknown): unknown {
  if (!isRecord(effective) || !isRecord(edited) || !("arguments" in effective)) return edited;
  return "arguments" in edited || "tool_name" in edited ? edited : { ...effective, arguments: edited };
}

/**
 * Puts secrets back that the person was not shown and so could not keep: where the edited text still
 * says what redaction had put there.
 */
export function unredacted(edited: unknown, shown: unknown, effective: unknown): unknown {
  if (typeof edited === "string")
    return edited === shown && edited.includes("[redacted:") ? effective : edited;
  if (Array.isArray(edited)) {
    return edited.map((item, i) => unredacted(item, at(shown, i), at(effective, i)));
  }
  if (!isRecord(edited)) return edited;
  return Object.fromEntries(
    Object.entries(edited).map(([key, item]) => [key, unredacted(item, at(shown, key), at(effective, key))]),
  );
}

function at(value: unknown, key: string | number): unknown {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined;
  return (value as Record<string | number, unknown>)[key];
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
