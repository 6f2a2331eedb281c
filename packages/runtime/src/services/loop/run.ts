import type { NewEvent } from "@fairlead/contract";
import type { CallState } from "../../domain/loop/state.ts";
import { beforeTools, owedHooks } from "../hooks/in-turn.ts";
import type { ToolOutcome } from "../tools/types.ts";
import { startChildren } from "../delegation/start.ts";
import { type Drive, envelopeOf, turnOf } from "./context.ts";
import { finishedEvents } from "./records.ts";

/** Of outcomes: the tool has come to its own end. */
const HAPPENED: ReadonlySet<ToolOutcome["status"]> = new Set(["ok", "artifact"]);

/** Runs one wave: what hooks let run of it. Recorded before it runs; each outcome after. */
export async function runStep(drive: Drive, ready: readonly CallState[], wave: number): Promise<void> {
  const { journal } = drive;
  // First the place: hooks look at where the tools will work.
  if (!(await drive.place.beforeCalls(drive, ready))) return;
  const calls = await beforeTools(drive, ready);
  if (calls.length === 0) return;
  const batch: NewEvent = {
    ...envelopeOf(drive),
    type: "agent.tool.batch",
    data: {
      wave,
      tool_call_ids: calls.map(({ requested }) => requested.tool_call_id),
      step: turnOf(drive).step,
      parallel: calls.length > 1,
    },
  };
  journal.emit([batch]);
  await journal.flush();
  // All of them, also when one could not be written down: nothing may go on behind the end of the step.
  const delegated = calls.filter(({ started }) => started?.delegates === true);
  const here = calls.filter((call) => !delegated.includes(call));
  const ends = await Promise.allSettled([
    startChildren(drive, delegated),
    ...here.map(async (call) => {
      const outcome = await runOne(drive, call);
      // Called off only because others go on: a failure on record would be one that it never had, and the model could
      // have it done twice. They find it open, and give a verdict.
      if (drive.signal.aborted && drive.leaves() && !HAPPENED.has(outcome.status)) return;
      journal.emit([...owedHooks(drive, call, outcome.status), ...finishedEvents(drive, call, outcome)]);
      // One that is alone goes with the next step's first commit; of several each is seen when it is there.
      if (calls.length > 1) await journal.flush();
    }),
  ]);
  const failed = ends.find((end) => end.status === "rejected");
  if (failed !== undefined) throw failed.reason;
  await drive.place.afterCalls(drive, calls);
}

function runOne({ tools, session, place, signal, journal }: Drive, call: CallState): Promise<ToolOutcome> {
  const { tool_call_id } = call.requested;
  const { name, arguments: args } = call.started ?? { name: call.requested.name, arguments: {} };
  const turn_id = journal.state.turn?.turn_id ?? "";
  return tools.run(
    { tool_call_id, name, arguments: args, repairs: [] },
    { session_id: session, turn_id, tool_call_id, workspace: place.path(), signal },
  );
}
