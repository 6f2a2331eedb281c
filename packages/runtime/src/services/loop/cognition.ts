import type { NewEvent } from "@fairlead/contract";
import { givenTo, stepsOf } from "../../domain/delegation/bounds.ts";
import { least } from "../../domain/delegation/share.ts";
import { limitOf } from "../../domain/health/budgets.ts";
import { type Circumstances, cognitionOf } from "../../domain/loop/cognition.ts";
import { usedBy } from "../../domain/supervision/tally.ts";
import { OWN_AGENT } from "../../domain/turn-decide.ts";
import { type Drive, depthOf, envelopeOf, modesOf, turnOf } from "./context.ts";

type Summarised = Pick<Drive, "journal" | "limits" | "supervision">;

/** What the turn perceived, remembered and decided, from what is on record, and the limits in force. */
export function cognitionEvent(drive: Summarised): NewEvent {
  const { facts, input, actor, step: steps, tokens, cost_usd } = turnOf(drive);
  const { journal } = drive;
  const used = usedBy(journal.tally, journal.now());
  const data = cognitionOf(facts, {
    input,
    agent: OWN_AGENT,
    actor,
    model: journal.state.settings?.model ?? null,
    ...modesOf(journal),
    depth: depthOf(journal),
    limits: limitsOf(drive),
    spent: { steps, tokens, cost_usd, session: { tokens: used.tokens, cost_usd: used.cost_usd } },
  });
  return { ...envelopeOf(drive), type: "runtime.cognition.summary", data };
}

/** As they are configured: what a sub-agent was given along, and what a session may use by its policy and by the rules. */
function limitsOf({ journal, limits, supervision }: Summarised): Circumstances["limits"] {
  const own = givenTo(journal.state);
  const health = journal.health.state;
  const { budget } = supervision;
  return {
    steps: stepsOf(journal.state, limits.steps),
    tokens: own?.max_tokens ?? null,
    cost_usd: own?.max_cost_usd ?? null,
    session: {
      tokens: least(limitOf(health, health.policy, "max_total_tokens"), budget.tokens) ?? null,
      cost_usd: least(limitOf(health, health.policy, "max_cost_usd"), budget.cost_usd) ?? null,
    },
  };
}
