import { evaluatePolicy } from "../../domain/policy/evaluate.ts";
import type { Policy } from "../../domain/policy/policy.ts";
import type { AnyDecision } from "../../ports/supervisor.ts";
import type { Outcome } from "../../domain/policy/outcome.ts";
import type { Rules, Ruling } from "./rules.ts";

/** The rules in force as a supervisor. `stopwatch` counts milliseconds, fractions included. */
export function policyRules(current: () => Policy, stopwatch: () => number): Rules {
  return {
    get hash() {
      return current().hash;
    },
    get count() {
      return current().rules.length;
    },
    judge(input) {
      const start = stopwatch();
      const outcome = evaluatePolicy(current(), input);
      return {
        decision: outcome.kind === "decided" ? (outcome.decision as AnyDecision) : undefined,
        rule_id: outcome.rule_id,
        data: policyDecisionData(outcome, stopwatch() - start),
      };
    },
  };
}

function policyDecisionData(outcome: Outcome, elapsed_ms: number): Ruling["data"] {
  const { event_type, rule_id, reason, matched, errors, rule_set_hash, input_hash, tool_name } = outcome;
  return {
    subject: event_type,
    outcome: outcome.kind === "decided" ? outcome.decision.decision : "unsupported",
    reason,
    source: rule_id === null ? "default" : `rule:${rule_id}`,
    ...(tool_name === undefined ? {} : { tool_name }),
    details: { rule_id, matched, errors, rule_set_hash, input_hash, elapsed_ms },
  };
}
