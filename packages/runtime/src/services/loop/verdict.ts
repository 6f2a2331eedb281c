import type { NewEvent } from "@fairlead/contract";
import { askedEvent } from "../../domain/question.ts";
import type { CallState } from "../../domain/loop/state.ts";
import { OUTCOME_OPTIONS, RECOVERY_ORIGIN } from "../../domain/lost-outcome.ts";
import { redacted } from "../redaction.ts";
import { outcomeEvent } from "./records.ts";
import { type Drive, envelopeOf, modesOf } from "./context.ts";
import { changedSince } from "./preview.ts";

/**
 * A process was lost while these ran. What does no harm, or has the same key, runs again; about the rest a person is
 * asked: nothing runs twice in silence.
 */
export async function verdictStep(drive: Drive, calls: readonly CallState[]): Promise<void> {
  for (const call of calls) drive.journal.emit(verdictEvents(drive, call, await changedSince(drive, call)));
}

function verdictEvents(drive: Drive, call: CallState, changed: boolean): NewEvent[] {
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
  const mayAsk = modesOf(drive.journal).approval_mode !== "never";
  const again = effect === "none" ? "safe" : effect === "idempotent" && !changed ? "rerun" : undefined;
  const verdict = again ?? (mayAsk ? "ask" : "give_up");
  const event: NewEvent = {
    ...envelope,
    type: "runtime.effect.verdict",
    data: {
      tool_call_id,
      tool_name,
      effect,
      verdict,
      reason: changed && verdict === "ask" ? CHANGED : REASONS[verdict],
    },
  };
  if (verdict === "give_up") return [event, unknownOutcome(drive, tool_call_id, tool_name)];
  if (verdict !== "ask") return [event];
  const { approvalMs } = drive.limits;
  const expires_at =
    approvalMs === undefined ? undefined : new Date(drive.clock.now() + approvalMs).toISOString();
  if (expires_at !== undefined) drive.questions.announce({ expires_at });
  return [
    event,
    {
      ...askedEvent(
        {
          request_id: drive.ids.next("question"),
          kind: "user_input",
          tool_name,
          reason: changed
            ? `The process was lost while this ran. ${CHANGED}`
            : "The process was lost while this ran. Whether it took effect is not known.",
          shown: { tool: tool_name, arguments: args, options: OUTCOME_OPTIONS, began: call.runs },
          risk: "high",
          tool_call_id,
          origin: RECOVERY_ORIGIN,
          ...(expires_at === undefined ? {} : { expires_at }),
        },
        (shown) => redacted(drive.redactor, shown),
      ),
      ...envelope,
    },
  ];
}

function unknownOutcome(drive: Drive, tool_call_id: string, tool_name: string): NewEvent {
  return outcomeEvent(drive, tool_call_id, tool_name, {
    status: "error",
    outcome_type: "ToolError",
    elapsed_ms: 0,
    error:
      "The process was lost while this ran, and nobody may be asked: whether it took effect is not known.",
  });
}

const CHANGED =
  "What it works on is not as it was when a person said yes: somebody may have changed it since.";

const REASONS = {
  safe: "Running it again does no harm.",
  rerun: "The tool gets the same key, so it does the same thing only once.",
  give_up: "It may have taken effect, and nobody may be asked.",
  ask: "It may have taken effect, and would do so again.",
} as const;
