import type { AhpEvent, EventType } from "@fairlead/ahp";
import { FAIL_CLOSED, isBlocking, isEventType } from "@fairlead/ahp";
import { hashText, isShallow } from "../canonical.ts";
import { evaluationMessage } from "./cel/condition.ts";
import { isQuiet } from "./cel/quiet.ts";
import type { ConditionContext } from "./cel/views.ts";
import { contextOf } from "./cel/views.ts";
import type { Proposal } from "./combine.ts";
import { combine } from "./combine.ts";
import type { AnyDecision } from "./decision.ts";
import { makesPayload } from "./decision.ts";
import { fallback, NO_RULE } from "./fallback.ts";
import type { PolicyInput } from "./input.ts";
import { inputText } from "./input-text.ts";
import type { Match, Outcome, PolicyDecision, RuleFault } from "./outcome.ts";
import { mergePatch } from "./patch.ts";
import type { Policy, Rule } from "./policy.ts";
import { failsClosed, strictness } from "./strictness.ts";

export interface Evaluation {
  /** Rules whose patches the payload already has. They change a question once; all other rules judge it again. */
  readonly applied?: ReadonlySet<string>;
}

/**
 * Judges one event. The strictest decision of all rules that match wins; among equals the first rule's, except where
 * their answers add up. Equal inputs give equal outcomes. Never throws: what cannot be read is answered with no.
 */
export function evaluatePolicy(policy: Policy, input: PolicyInput, { applied }: Evaluation = {}): Outcome {
  const { event } = input;
  if (!isEventType(event.event_type)) return unreadable(policy, event, "This is no event type.");
  if (!isShallow(event)) return unreadable(policy, event, "The event nests too deeply.");
  const { matched, errors, strictest } = weigh(policy, input, applied);
  const judged = {
    event_type: event.event_type,
    tool_name: toolName(event.payload),
    matched,
    errors,
    rule_set_hash: policy.hash,
    input_hash: hashText(inputText(input)),
  };
  const [head, ...rest] = strictest;
  if (head === undefined) {
    const decision = fallback(event, policy.defaults.generic);
    const nobody = { ...judged, rule_id: null, reason: NO_RULE };
    return decision === null
      ? { kind: "unsupported", ...nobody }
      : { kind: "decided", decision: decision as PolicyDecision, ...nobody };
  }
  const { rule, answer } = combine(event.event_type, [head, ...rest]);
  const decision = (
    makesPayload(event.event_type, answer.decision) ? modified(answer, event, strictest) : answer
  ) as PolicyDecision;
  return {
    kind: "decided",
    decision,
    ...judged,
    rule_id: rule.id,
    reason: reasonOf(rule, answer),
  };
}

function reasonOf(rule: Rule, answer: AnyDecision): string {
  const unmade = answer.decision === rule.decide ? undefined : answer["reason"];
  return typeof unmade === "string" ? unmade : (rule.reason ?? `Rule ${rule.id} says so.`);
}

interface Weighed {
  readonly matched: readonly Match[];
  readonly errors: readonly RuleFault[];
  /** The proposals of the strictest decision among those that matched, in order. */
  readonly strictest: readonly Proposal[];
}

const NOTHING: Weighed = { matched: [], errors: [], strictest: [] };

function weigh(policy: Policy, input: PolicyInput, applied: ReadonlySet<string> | undefined): Weighed {
  const type = input.event.event_type;
  const all = policy.rulesOn(type);
  if (all.length === 0) return NOTHING;
  const context = contextOf(input);
  const quiet = isQuiet(context.action);
  const matched: Match[] = [];
  const errors: RuleFault[] = [];
  let strictest: Proposal[] = [];
  let top = -1;
  for (const rule of quiet ? policy.quietRulesOn(type) : all) {
    if (rule.patch !== undefined && applied?.has(rule.id)) continue;
    let by: Match["by"] = "condition";
    try {
      const { condition } = rule;
      if (condition !== undefined && !(quiet ? condition.quiet(context) : condition.test(context))) continue;
    } catch (error) {
      errors.push({ rule_id: rule.id, message: evaluationMessage(error) });
      if (!failsClosed(type, rule.decide)) continue;
      by = "error";
    }
    const proposal = propose(rule, type, context, errors);
    const { decision } = proposal.answer;
    matched.push({ rule_id: rule.id, decision, by: decision === rule.decide ? by : "error" });
    const level = strictness(type, decision);
    if (level < top) continue;
    if (level > top) strictest = [];
    top = level;
    strictest.push(proposal);
  }
  return { matched, errors, strictest };
}

/** A change that the rule asks for and that cannot be made is a no: the action as it stands is what it will not have. */
function propose(rule: Rule, type: EventType, context: ConditionContext, errors: RuleFault[]): Proposal {
  const answer = rule.answers.get(type) as AnyDecision;
  try {
    return { rule, answer, patch: rule.patch?.(context) };
  } catch (error) {
    errors.push({ rule_id: rule.id, message: evaluationMessage(error) });
    const reason = `Rule ${rule.id} changes this, and its change cannot be made.`;
    return { rule, answer: { decision: "block", reason }, patch: undefined };
  }
}

/** The payload with the patches of all rules that modify, one after the other. */
function modified(answer: AnyDecision, { payload }: AhpEvent, proposals: readonly Proposal[]): AnyDecision {
  return {
    ...answer,
    modified_payload: proposals.reduce<unknown>((made, { patch }) => mergePatch(made, patch), payload),
  };
}

/** Fails closed: nothing is known about the event, so nothing is allowed. */
function unreadable(
  policy: Policy,
  { event_type }: { readonly event_type: EventType },
  reason: string,
): Outcome {
  const decision =
    isEventType(event_type) && isBlocking(event_type)
      ? FAIL_CLOSED[event_type](reason)
      : { decision: "block" as const, reason };
  return {
    kind: "decided",
    decision,
    event_type,
    tool_name: undefined,
    rule_id: null,
    reason,
    matched: [],
    errors: [{ rule_id: null, message: reason }],
    rule_set_hash: policy.hash,
    input_hash: "",
  };
}

function toolName(payload: unknown): string | undefined {
  const name = (payload as { tool_name?: unknown } | null)?.tool_name;
  return typeof name === "string" ? name : undefined;
}
