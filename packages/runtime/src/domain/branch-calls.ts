import type { NewEvent } from "@fairlead/contract";
import type { CallState } from "./loop/state.ts";

type Own = Pick<NewEvent, "turn_id" | "agent_id" | "cause">;

/**
 * The outcome, in a branch, of a call that its parent had begun and not finished at the fork. Every recorded start has
 * one; a call that was not started gets its answer with the end of the turn.
 */
export function toolLeft(call: CallState, own: Own): NewEvent[] {
  const { requested, started, stage } = call;
  if (started === undefined || stage.at === "done") return [];
  const named = { tool_call_id: requested.tool_call_id, tool_name: started.name, elapsed_ms: 0 };
  // It had given its result; only the word that it was over comes after the fork.
  if (call.said !== undefined)
    return [
      {
        ...own,
        type: "agent.tool.outcome",
        data: { ...named, outcome_type: "ToolExecutionResult", status: "ok" },
      },
    ];
  const error =
    call.runs > 0
      ? "This ran in the session that this one branched from. What came of it is not known here."
      : "Not run: the session was branched before.";
  return [
    {
      ...own,
      type: "agent.tool.outcome",
      data: { ...named, outcome_type: "ToolError", status: "error", error },
    },
  ];
}
