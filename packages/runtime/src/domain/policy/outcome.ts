import type { BlockingType, DecisionOf, EventType } from "@fairlead/ahp";

export interface Match {
  readonly rule_id: string;
  readonly decision: string;
  /** `error`: the condition could not be evaluated, which counts as met for what stops or asks. */
  readonly by: "condition" | "error";
}

export interface RuleFault {
  /** Null when it is not one rule's. */
  readonly rule_id: string | null;
  readonly message: string;
}

/** A decision of the protocol; which ones are possible depends on the event type. */
export type PolicyDecision = DecisionOf<BlockingType>;

interface Judged {
  readonly event_type: EventType;
  readonly tool_name: string | undefined;
  /** The rule that decided; null when none did and the default counts. */
  readonly rule_id: string | null;
  readonly reason: string;
  /** Every rule that matched, in order. */
  readonly matched: readonly Match[];
  readonly errors: readonly RuleFault[];
  readonly rule_set_hash: string;
  /** SHA-256 of all that the decision was made from; empty when that could not be read. */
  readonly input_hash: string;
}

/** `unsupported`: no rule answers and the protocol knows no neutral answer, so a server says that it cannot. */
export type Outcome = Judged &
  ({ readonly kind: "decided"; readonly decision: PolicyDecision } | { readonly kind: "unsupported" });
