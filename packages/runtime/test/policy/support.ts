import type { AhpEvent, EventType } from "@fairlead/ahp";
import {
  type Compiled,
  compilePolicy,
  type Policy,
  type PolicyInput,
  NO_BUDGET,
  NO_HISTORY,
  NO_STATS,
} from "../../src/policy.ts";

export function compile(text: string): Compiled {
  return compilePolicy([{ path: "rules.yaml", text }]);
}

export function policyOf(text: string): Policy {
  const compiled = compile(text);
  if (compiled.ok) return compiled.policy;
  throw new Error(
    compiled.errors.map(({ line, column, message }) => `${line}:${column} ${message}`).join("\n"),
  );
}

/** One rule set with one rule for each of the given lines of a rule. */
export function rulesOf(...rules: readonly Record<string, unknown>[]): Policy {
  const whole = rules.map((rule, i) => ({
    id: `rule-${i}`,
    on: ["pre_action"],
    reason: `Reason ${i}.`,
    ...rule,
  }));
  return policyOf(JSON.stringify({ rules: whole }));
}

export function eventOf(
  payload: unknown,
  event_type: EventType = "pre_action",
  rest: Partial<AhpEvent> = {},
): AhpEvent {
  return {
    event_type,
    session_id: "session",
    agent_id: "agent",
    timestamp: "2026-05-01T00:00:00Z",
    depth: 0,
    payload,
    ...rest,
  };
}

export function inputOf(event: AhpEvent, rest: Partial<PolicyInput> = {}): PolicyInput {
  return { event, stats: NO_STATS, budget: NO_BUDGET, history: NO_HISTORY, ...rest };
}
