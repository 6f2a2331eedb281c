import type { NewEvent } from "@fairlead/contract";
import type { CallState } from "../../domain/loop/state.ts";
import type { Drive } from "./context.ts";
import { outcomeEvent } from "./records.ts";

/** Every recorded start has an outcome: those of the calls that the end of their turn leaves without one. */
export function leftOutcomes(drive: Pick<Drive, "journal">): NewEvent[] {
  const { calls = [] } = drive.journal.state.turn ?? {};
  return calls.flatMap((call) => {
    const { requested, started, stage } = call;
    if (started === undefined || stage.at === "done") return [];
    const error = whyOf(call);
    const outcome = { status: "error", outcome_type: "ToolError", elapsed_ms: 0, error } as const;
    return [outcomeEvent(drive, requested.tool_call_id, started.name, outcome)];
  });
}

function whyOf(call: CallState): string {
  if (call.stage.at === "away") return "The turn ended, and its sub-agent is told to stop.";
  // Who is started is on record with the word of it.
  if (call.stage.at === "running" && call.started?.delegates === true)
    return "Not started: the turn ended before.";
  return mayHaveRun(call)
    ? "The turn ended while this ran. Whether it took effect is not known."
    : "Not run: the turn ended before.";
}

function mayHaveRun({ stage, runs }: CallState): boolean {
  return stage.at === "running" || (runs > 0 && stage.at !== "ready");
}
