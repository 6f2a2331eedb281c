import type { NewEvent } from "@fairlead/contract";
import { permitOf } from "../../domain/approval/mode.ts";
import type { GuardedCall } from "../../domain/guard/types.ts";
import { payloadOf } from "../../domain/loop-supervision/payloads.ts";
import type { CallState } from "../../domain/loop/state.ts";
import { outcomeSaid } from "../../domain/lost-outcome.ts";
import { owedHooks } from "../hooks/in-turn.ts";
import { modesNow } from "../delegation/modes.ts";
import { type Drive, envelopeOf, runOf } from "./context.ts";
import { judgeCall } from "./judge.ts";
import { previewChanged } from "./preview.ts";
import { deniedEvents, outcomeEvent, repairedEvent, startEvent } from "./records.ts";

type Decided = Extract<CallState["stage"], { at: "decided" }>;

/** Does what a person decided about each call. */
export async function settleStep(drive: Drive, calls: readonly CallState[]): Promise<void> {
  for (const call of calls) {
    if (call.stage.at !== "decided") continue;
    if (call.stage.about === "outcome") settleOutcome(drive, call, call.stage);
    else await settleApproval(drive, call, call.stage);
    // It may be parked now: the rest is settled after that.
    if (drive.journal.state.turn?.waits !== null) return;
  }
}

async function settleApproval(drive: Drive, call: CallState, decided: Decided): Promise<void> {
  const { journal, tools, place, supervision } = drive;
  const { tool_call_id } = call.requested;
  const shown = call.shown ?? { name: call.requested.name, arguments: {} };
  const tool = tools.tool(shown.name);
  const asked = { tool_call_id, ...shown, repairs: [] };
  const deny = (reason: string) => journal.emit(deniedEvents(drive, call, asked, tool, reason));
  switch (decided.decision) {
    case "denied":
      return deny(
        `${decided.actor} denied this call${decided.note === undefined ? "." : `: ${decided.note}`}`,
      );
    case "expired":
      return deny("Nobody decided about this call in time, so it was not run.");
    case "approved":
    case "edited": {
      const args = decided.decision === "edited" ? decided.edited : shown.arguments;
      // What a person wrote passes the guard like what a model wrote; and the place may have changed since.
      const text = JSON.stringify(args ?? null);
      const guarded = await tools.check({ tool_call_id, name: shown.name, arguments: text }, place.path());
      if (!guarded.ok) return deny(`It no longer fits the tool: ${guarded.faults[0].error}`);
      if (decided.decision === "edited") {
        // Mended arguments are not what the person wrote: they are shown again.
        const asWritten = guarded.call.repairs.length === 0;
        if (!asWritten) journal.emit([repairedEvent(drive, call, guarded.call)]);
        return judgeCall(drive, call, guarded.call, asWritten);
      }
      const against = supervision.recheck(
        runOf(drive),
        "pre_action",
        {
          tool_name: shown.name,
          arguments: guarded.call.arguments,
          tool_call_id,
        },
        payloadOf.preAction(await asRequested(drive, call)),
      );
      if (against !== undefined) {
        journal.emit([refusedAgain(drive, tool_call_id, shown.name, against)]);
        return deny(against);
      }
      if (tool === undefined) return deny(`The tool ${shown.name} is gone.`);
      // A yes is no leave to do what the session may not do any more.
      const permit = permitOf({ ...(await modesNow(drive)), approval_mode: "on_request" }, tool);
      if (permit.kind === "deny") return deny(permit.reason);
      // What it would change has changed since it was shown: the yes was for something else.
      if (await previewChanged(drive, call, tool)) return judgeCall(drive, call, guarded.call, false);
      journal.emit([startEvent(drive, guarded.call, tool)]);
    }
  }
}

/** Why a yes does not count any more. */
function refusedAgain(drive: Drive, tool_call_id: string, tool_name: string, reason: string): NewEvent {
  return {
    ...envelopeOf(drive),
    type: "runtime.policy.decision",
    data: {
      subject: "approved_action",
      outcome: "block",
      reason,
      source: "recheck",
      tool_call_id,
      tool_name,
    },
  };
}

/** The call as it was judged when the person was asked: what the guard made of the request. */
async function asRequested({ tools, place }: Drive, { requested }: CallState): Promise<GuardedCall> {
  const guarded = await tools.check(requested, place.path());
  const { tool_call_id, name } = requested;
  return guarded.ok ? guarded.call : { tool_call_id, name, arguments: {}, repairs: [] };
}

/** What became of a call whose process was lost, as a person says. */
function settleOutcome(drive: Drive, call: CallState, decided: Decided): void {
  const { tool_call_id } = call.requested;
  const tool_name = call.started?.name ?? call.requested.name;
  const effect = call.started?.effect ?? "once";
  const verdict = outcomeSaid(decided);
  const said: NewEvent = {
    ...envelopeOf(drive),
    type: "runtime.effect.verdict",
    data: { tool_call_id, tool_name, effect, verdict, reason: `${decided.actor} decided.` },
  };
  const outcome = outcomeEvent(drive, tool_call_id, tool_name, {
    status: verdict === "happened" ? "ok" : "error",
    outcome_type: verdict === "happened" ? "ToolExecutionResult" : "ToolError",
    elapsed_ms: 0,
    ...(verdict === "happened"
      ? { result: `The process was lost while this ran. ${decided.actor} says that it happened.` }
      : {
          error: `The process was lost while this ran. ${decided.actor} gave it up: whether it happened is not known.`,
        }),
  });
  const owed = verdict === "happened" ? owedHooks(drive, call, "ok") : [];
  drive.journal.emit(verdict === "run_again" ? [said] : [said, ...owed, outcome]);
}
