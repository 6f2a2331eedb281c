import type { BlockingType } from "@fairlead/ahp";
import type { EventData } from "@fairlead/contract";
import type { AnyDecision } from "../../ports/supervisor.ts";

type DecisionData = EventData<"runtime.policy.decision">;

export interface Concluded {
  readonly type: BlockingType;
  readonly decision: AnyDecision | undefined;
  /** As judgements say it. */
  readonly by: string;
  readonly tool_call_id: string | undefined;
}

/**
 * The one decision that is kept of a question of our own: what came of it and by whom, with all that rules and guards
 * said on the way. `said` has at least one.
 */
export function concludedData(said: readonly DecisionData[], concluded: Concluded): DecisionData {
  const { type, decision, by, tool_call_id } = concluded;
  const [first] = said;
  const source = by === "rules" ? "default" : by;
  const decider = said.findLast((one) => one.source === source);
  const call = tool_call_id === undefined ? {} : { tool_call_id };
  const outcome = decision?.decision ?? "unsupported";
  // The usual case: asked once, and answered by that.
  if (first !== undefined && said.length === 1 && decider === first && first.outcome === outcome)
    return { ...first, ...call };
  const { rule_id: _, details: __, ...base } = decider ?? first ?? NOTHING;
  const matched = said.flatMap((one) => listOf(one.details?.["matched"]));
  const errors = said.flatMap((one) => listOf(one.details?.["errors"]));
  const rounds = said.map((one) => ({ source: one.source, outcome: one.outcome }));
  return {
    ...base,
    ...call,
    subject: type,
    outcome,
    reason: reasonOf(decision) ?? decider?.reason ?? `${by} says so.`,
    source,
    ...(decider?.rule_id === undefined ? {} : { rule_id: decider.rule_id }),
    ...(first?.input_hash === undefined ? {} : { input_hash: first.input_hash }),
    elapsed_ms: said.reduce((sum, one) => sum + (one.elapsed_ms ?? 0), 0),
    details: { matched, errors, rounds },
  };
}

const NOTHING: DecisionData = { subject: "", outcome: "", reason: "", source: "" };

function reasonOf(decision: AnyDecision | undefined): string | undefined {
  const reason = decision?.["reason"];
  return typeof reason === "string" && reason !== "" ? reason : undefined;
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
