import type { EventData } from "@fairlead/contract";
import type { TurnFacts } from "./facts.ts";

/** Null: nobody limits it. */
export interface SpendLimits {
  readonly tokens: number | null;
  readonly cost_usd: number | null;
}

export interface Spent {
  readonly tokens: number;
  readonly cost_usd: number;
}

export interface Circumstances {
  readonly input: string;
  readonly agent: string;
  /** Who asked; null where the log does not say. */
  readonly actor: string | null;
  readonly model: string | null;
  readonly permission_mode: string;
  readonly approval_mode: string;
  readonly depth: number;
  /** Of the turn, and of the whole session. */
  readonly limits: SpendLimits & { readonly steps: number; readonly session: SpendLimits };
  readonly spent: Spent & { readonly steps: number; readonly session: Spent };
}

/** What was perceived, remembered, decided, and under whose identity and limits. Facts only. */
export function cognitionOf(facts: TurnFacts, around: Circumstances): EventData<"runtime.cognition.summary"> {
  const { input, limits, spent, ...identity } = around;
  const calls = Object.values(facts.tools).reduce(
    (sum, row) => sum + Object.values(row).reduce((a, b) => a + b, 0),
    0,
  );
  const guardrails = guardrailsOf(facts);
  const stopped = guardrails.filter(({ count }) => count > 0).map(({ name, count }) => `${name} ${count}`);
  return {
    summary: `${spent.steps} step(s), ${calls} tool call(s)${stopped.length === 0 ? "" : `; ${stopped.join(", ")}`}.`,
    guardrails,
    details: {
      perceived: {
        input_chars: input.length,
        heard_meanwhile: facts.heard,
        injected: facts.injected.map(({ subject }) => subject),
        intent: facts.intent,
      },
      remembered: {
        retrievals: facts.retrievals,
        citations: facts.citations,
        cited: facts.cited,
        facts: facts.injected,
      },
      decided: { policy: facts.policy, tools: facts.tools, approvals: facts.approvals },
      identity,
      limits,
      spent,
    },
  };
}

function guardrailsOf(facts: TurnFacts) {
  const outcomes = (of: Record<string, Record<string, number>>, kind: string) =>
    Object.values(of).reduce((sum, row) => sum + (row[kind] ?? 0), 0);
  return [
    { name: "denied_calls", count: outcomes(facts.tools, "denied") },
    { name: "blocked_by_policy", count: outcomes(facts.policy, "block") },
    { name: "blocked_by_hooks", count: facts.hookBlocks },
    { name: "escalated", count: outcomes(facts.policy, "escalate") },
    { name: "asked_of_people", count: facts.asked },
    { name: "invalid_calls", count: facts.misfits },
    { name: "repaired_calls", count: facts.repairs },
  ];
}
