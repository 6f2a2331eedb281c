import type { EventData } from "@fairlead/contract";
import type { Outcome } from "./outcome.ts";

/** What the log keeps of a decision: who decided, by which rules, from what, and how long it took. */
export function policyDecisionData(
  outcome: Outcome,
  elapsedMs: number,
): EventData<"runtime.policy.decision"> {
  const { event_type, tool_name, rule_id, reason, matched, errors, rule_set_hash, input_hash } = outcome;
  return {
    subject: event_type,
    outcome: outcome.kind === "decided" ? outcome.decision.decision : "unsupported",
    reason,
    source: rule_id === null ? "default" : `rule:${rule_id}`,
    ...(tool_name === undefined ? {} : { tool_name }),
    ...(rule_id === null ? {} : { rule_id }),
    rule_set_hash,
    input_hash,
    elapsed_ms: Math.max(0, elapsedMs),
    ...(matched.length + errors.length === 0 ? {} : { details: { matched, errors } }),
  };
}
