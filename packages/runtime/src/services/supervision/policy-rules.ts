import { policyDecisionData } from "../../domain/policy/decision-data.ts";
import { evaluatePolicy } from "../../domain/policy/evaluate.ts";
import type { Policy } from "../../domain/policy/policy.ts";
import { patchesOf } from "../../domain/policy/settle.ts";
import type { AnyDecision } from "../../ports/supervisor.ts";
import type { Rules } from "./rules.ts";

/** The rules in force as a supervisor. `stopwatch` counts milliseconds, fractions included. */
export function policyRules(current: () => Policy, stopwatch: () => number): Rules {
  return {
    get hash() {
      return current().hash;
    },
    get count() {
      return current().rules.length;
    },
    covers: (type) => current().rulesOn(type).length > 0,
    judge(input, applied = new Set()) {
      const start = stopwatch();
      const outcome = evaluatePolicy(current(), input, { applied });
      for (const id of patchesOf(outcome)) applied.add(id);
      return {
        decision: outcome.kind === "decided" ? (outcome.decision as AnyDecision) : undefined,
        rule_id: outcome.rule_id,
        data: policyDecisionData(outcome, stopwatch() - start),
      };
    },
  };
}
