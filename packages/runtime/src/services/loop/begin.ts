import type { InputId, NewEvent, TurnId } from "@fairlead/contract";
import { given } from "../../domain/given.ts";
import { isBackground } from "../../domain/kernel/background.ts";
import { backgroundEvents, kernelCommand } from "../../domain/kernel/turn-events.ts";
import { POLICY_PATH } from "../../domain/session.ts";
import { type AnyTurnCommand, OWN_AGENT, type TurnContext, decideTurn } from "../../domain/turn-decide.ts";
import { redacted } from "../redaction.ts";
import { refused } from "../refusal.ts";
import { cognitionEvent } from "./cognition.ts";
import { type Drive, depthOf, modesOf } from "./context.ts";

type TurnFacts = Pick<Drive, "journal" | "session" | "limits" | "supervision">;

/** Decides on the carried state, and emits what follows. Throws what refuses it. */
export function emitTurn(drive: TurnFacts, asked: AnyTurnCommand): void {
  const { journal, session } = drive;
  const context = contextOf(drive);
  const now = journal.now();
  const command = kernelCommand(context.state, asked, now);
  const decision = decideTurn(context, command);
  if (!decision.ok) throw refused(decision.refusal);
  const events = [...decision.events];
  const status = RUN_STATUS[command.kind];
  if (status !== undefined) {
    const event = lifecycle(journal, session, status, command, decision.events);
    // The session's state is the first word of a turn, and the last.
    events.splice(command.kind === "start" ? events.length : -1, 0, event);
    if (command.kind !== "start") events.unshift(cognitionEvent(drive));
  }
  if (!isBackground(context.state)) return journal.emit(events);
  const shaped = backgroundEvents(events, { loop: journal.state, state: context.state, command, now });
  if (!shaped.ok) throw refused(shaped.refusal);
  journal.emit(shaped.events);
}

/** The turn and the state as the loop carries them. */
function contextOf({ journal, session }: Pick<Drive, "journal" | "session">): TurnContext {
  const { turn, settings } = journal.state;
  return {
    turn:
      turn === null
        ? { state: "none", turn_id: null, started: null }
        : { state: turn.waits === null ? "running" : "parked", turn_id: turn.turn_id, started: turn.started },
    state: settings ?? { session_id: session, status: "idle", kind: "chat" },
  };
}

const RUN_STATUS: Partial<
  Record<AnyTurnCommand["kind"], "executing" | "completed" | "failed" | "cancelled">
> = {
  start: "executing",
  complete: "completed",
  fail: "failed",
  cancel: "cancelled",
};

function lifecycle(
  journal: Drive["journal"],
  session: string,
  status: "executing" | "completed" | "failed" | "cancelled",
  command: AnyTurnCommand,
  [first]: readonly NewEvent[],
): NewEvent {
  const turn_id = first?.turn_id ?? "";
  return {
    type: "runtime.run.lifecycle",
    turn_id,
    agent_id: OWN_AGENT,
    cause: command.kind === "start" ? command.started : (first?.cause ?? null),
    data: {
      run_id: turn_id,
      session_id: session,
      status,
      updated_at: new Date(journal.now()).toISOString(),
      ...(command.kind === "start" ? { prompt: command.input } : {}),
      ...(command.kind === "fail" ? { error: command.error } : {}),
      depth: depthOf(journal),
    },
  };
}

export interface Beginning {
  readonly input: string;
  /** Who asked. */
  readonly actor?: string;
  readonly cause: string | null;
  readonly input_id?: InputId;
}

type Beginner = TurnFacts & Pick<Drive, "ids" | "tools" | "redactor" | "process">;

/** The events of a new turn, up to what it may do and under which modes. */
export function emitBegin(drive: Beginner, { input, actor, cause, input_id }: Beginning): TurnId {
  const { ids, journal, tools } = drive;
  const turn_id = ids.next("turn");
  const started = ids.next("event");
  emitTurn(drive, {
    kind: "start",
    turn_id,
    started,
    input,
    // The state is kept as it is shown, also here.
    shown: redacted(drive.redactor, input),
    tools: tools.tools().map(({ spec }) => spec.name),
    process_id: drive.process,
    cause,
    ...given({ actor, input_id }),
  });
  const { permission_mode, approval_mode } = modesOf(journal);
  journal.emit([
    {
      type: "runtime.policy.decision",
      turn_id,
      agent_id: OWN_AGENT,
      cause: started,
      data: {
        subject: "turn_runtime",
        outcome: "configured",
        reason: "Resolved runtime execution mode for this chat turn.",
        source: "fairlead",
        policy_path: POLICY_PATH,
        permission_mode,
        approval_mode,
        details: { depth: depthOf(journal), ...drive.supervision.coverage() },
      },
    },
  ]);
  return turn_id;
}
