import type { BlockingType, DecisionOf, EventType } from "@fairlead/ahp";
import { isBlocking } from "@fairlead/ahp";

const GATE = ["allow", "modify", "defer", "escalate", "block"] as const;
const YES_OR_NO = ["allow", "block"] as const;

type Orders = { readonly [T in BlockingType]: readonly DecisionOf<T>["decision"][] };

/** The decisions of each event type, from the mildest to the strictest. The strictest that matched decides. */
export const STRICTNESS = {
  pre_action: GATE,
  pre_prompt: GATE,
  idle: ["allow", "defer"],
  intent_detection: YES_OR_NO,
  context_perception: ["allow", "refine", "block"],
  memory_recall: YES_OR_NO,
  planning: ["allow", "modify", "block"],
  reasoning: YES_OR_NO,
  rate_limit: ["retry", "queue", "skip"],
  confirmation: ["approve", "escalate", "reject"],
} as const satisfies Orders;

/** Events that ask nothing are answered with the generic decision, where they are answered at all: in a batch. */
export function decisionsOf(type: EventType): readonly string[] {
  return isBlocking(type) ? STRICTNESS[type] : GATE;
}

/** Higher is stricter; -1 for what is no decision of this event type. */
export function strictness(type: EventType, decision: string): number {
  return decisionsOf(type).indexOf(decision);
}

/**
 * Whether a condition that cannot be evaluated counts as met. It does for what stops or asks a person, so
 * that nothing gets through because a rule broke: the strictest decision of each type, and `escalate`.
 */
export function failsClosed(type: EventType, decision: string): boolean {
  return decision === "escalate" || decision === decisionsOf(type).at(-1);
}
