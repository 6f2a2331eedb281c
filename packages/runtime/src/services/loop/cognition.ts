import type { NewEvent } from "@fairlead/contract";
import { cognitionOf } from "../../domain/loop/facts.ts";
import { OWN_AGENT } from "../../domain/turn-decide.ts";
import { type Drive, depthOf, envelopeOf, modesOf, turnOf } from "./context.ts";

/** What the turn perceived, remembered and decided, from what is on record. */
export function cognitionEvent(drive: Pick<Drive, "journal">): NewEvent {
  const { facts, input, step: steps, tokens, cost_usd } = turnOf(drive);
  const { journal } = drive;
  const data = cognitionOf(facts, {
    input,
    agent: OWN_AGENT,
    model: journal.state.settings?.model ?? null,
    ...modesOf(journal),
    depth: depthOf(journal),
    steps,
    tokens,
    cost_usd,
  });
  return { ...envelopeOf(drive), type: "runtime.cognition.summary", data };
}
