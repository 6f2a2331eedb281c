import { makesPayload } from "./decision.ts";
import { evaluatePolicy } from "./evaluate.ts";
import type { PolicyInput } from "./input.ts";
import type { Outcome } from "./outcome.ts";
import type { Policy } from "./policy.ts";

const NONE: readonly string[] = [];

/** The rules whose patches an outcome has applied. */
export function patchesOf(outcome: Outcome): readonly string[] {
  const decision = outcome.kind === "decided" ? outcome.decision.decision : "";
  if (!makesPayload(outcome.event_type, decision)) return NONE;
  return outcome.matched.flatMap((match) => (match.decision === decision ? [match.rule_id] : []));
}

/**
 * What the rules come to about a question, as a harness asks them: what a rule has changed is judged again, by all rules
 * but those that changed it, until none changes it any more. It ends, because each rule changes a question once.
 */
export function settlePolicy(policy: Policy, input: PolicyInput): Outcome {
  const applied = new Set<string>();
  let changed: Outcome | undefined;
  for (let given = input; ;) {
    const outcome = evaluatePolicy(policy, given, { applied });
    const patches = patchesOf(outcome);
    if (patches.length === 0) return changed === undefined ? outcome : joined(changed, outcome);
    for (const id of patches) applied.add(id);
    const { modified_payload } = (outcome as { decision: unknown }).decision as { modified_payload: unknown };
    changed = changed === undefined ? outcome : ahead(changed, outcome);
    given = { ...given, event: { ...given.event, payload: modified_payload } };
  }
}

/** The later change, which has the earlier one in it. */
function ahead(changed: Outcome, next: Outcome): Outcome {
  const whole = joined(changed, next);
  return next.kind === "decided" ? { ...whole, kind: "decided", decision: next.decision } : whole;
}

/** A change that nobody objects to stands; any other answer takes its place. */
function joined(changed: Outcome, last: Outcome): Outcome {
  const matched = [...changed.matched, ...last.matched];
  const errors = [...changed.errors, ...last.errors];
  const stands =
    last.kind !== "decided" || last.decision.decision === "allow" || last.decision.decision === "modify";
  return stands
    ? { ...changed, matched, errors }
    : { ...last, matched, errors, input_hash: changed.input_hash };
}
