import type { NewEvent } from "@fairlead/contract";
import { askedEvent } from "../../domain/question.ts";
import type { CallState } from "../../domain/loop/state.ts";
import { redacted } from "../redaction.ts";
import { type Drive, envelopeOf } from "./context.ts";

/** What a person can answer when nobody knows whether a call took effect. */
const OUTCOME_OPTIONS = [
  { outcome: "happened", label: "It happened" },
  { outcome: "run_again", label: "Run it again" },
  { outcome: "give_up", label: "Give up" },
] as const;

/**
 * A process was lost while these ran. What does no harm, or has the same key, runs again; about the rest a person is
 * asked: nothing runs twice in silence.
 */
export function verdictStep(drive: Drive, calls: readonly CallState[]): void {
  for (const call of calls) drive.journal.emit(verdictEvents(drive, call));
}

function verdictEvents(drive: Drive, call: CallState): NewEvent[] {
  const { tool_call_id } = call.requested;
  const {
    name: tool_name,
    effect,
    arguments: args,
  } = call.started ?? {
    name: call.requested.name,
    effect: "once" as const,
    arguments: {},
  };
  const envelope = envelopeOf(drive);
  const verdict = effect === "none" ? "safe" : effect === "idempotent" ? "rerun" : "ask";
  const event: NewEvent = {
    ...envelope,
    type: "runtime.effect.verdict",
    data: { tool_call_id, tool_name, effect, verdict, reason: REASONS[verdict] },
  };
  if (verdict !== "ask") return [event];
  return [
    event,
    {
      ...askedEvent(
        {
          request_id: drive.ids.next("question"),
          kind: "user_input",
          tool_name,
          reason: "The process was lost while this ran. Whether it took effect is not known.",
          shown: { tool: tool_name, arguments: args, options: OUTCOME_OPTIONS, began: call.runs },
          risk: "high",
          tool_call_id,
          origin: "recovery",
        },
        (shown) => redacted(drive.redactor, shown),
      ),
      ...envelope,
    },
  ];
}

const REASONS = {
  safe: "Running it again does no harm.",
  rerun: "The tool gets the same key, so it does the same thing only once.",
  ask: "It may have taken effect, and would do so again.",
} as const;
