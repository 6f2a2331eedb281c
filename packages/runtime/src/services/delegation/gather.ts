import type { NewEvent } from "@fairlead/contract";
import type { CallState } from "../../domain/loop/state.ts";
import type { ToolOutput } from "../../ports/tool.ts";
import { owedHooks } from "../hooks/in-turn.ts";
import { type Drive, envelopeOf, turnOf } from "../loop/context.ts";
import { finishedEvents } from "../loop/records.ts";

type Back = Extract<CallState["stage"], { at: "back" }>;
type Gathering = Pick<Drive, "journal" | "tools" | "hooks">;

/** The sub-agents of these calls have ended: their last words are what the calls gave, and what they used counts here. */
export function gatherStep(drive: Drive, calls: readonly CallState[]): void {
  for (const call of calls) drive.journal.emit(gatheredEvents(drive, call));
}

/** With the hooks that must be asked first: also where the turn ends here, and nobody will ask them any more. */
export function gatheredEvents(drive: Gathering, call: CallState): NewEvent[] {
  const { stage, requested, started } = call;
  if (stage.at !== "back") return [];
  const { turn_id } = turnOf(drive);
  const name = started?.name ?? requested.name;
  const guarded = { tool_call_id: requested.tool_call_id, name, arguments: {}, repairs: [] };
  const outcome = drive.tools.outcome(guarded, outputOf(stage), { turn_id, elapsed_ms: stage.elapsed_ms });
  const owed = owedHooks(drive, call, stage.status === "completed" ? "ok" : "error");
  return [...owed, ...usageEvents(drive, stage), ...finishedEvents(drive, call, outcome)];
}

/** Its own session has the same call by call. */
function usageEvents(drive: Gathering, { agent_id, tokens, output_tokens, cost_usd }: Back): NewEvent[] {
  if (tokens === 0 && cost_usd === 0) return [];
  return [
    {
      ...envelopeOf(drive),
      type: "agent.usage",
      data: {
        input_tokens: tokens - output_tokens,
        output_tokens,
        total_tokens: tokens,
        ...(cost_usd === 0 ? {} : { cost_usd }),
        subagent: agent_id,
        step: turnOf(drive).step,
      },
    },
  ];
}

function outputOf({ session_id, agent_id, status, output, reason, tokens, cost_usd }: Back): ToolOutput {
  const about = { agent_id, session_id, status, tokens, ...(cost_usd === 0 ? {} : { cost_usd }) };
  if (status === "completed") return { result: { ...about, output }, text: output };
  const why = reason === undefined ? "." : `: ${reason.replace(/[.\s]*$/, ".")}`;
  const text =
    status === "failed"
      ? `The sub-agent failed${why}`
      : `The sub-agent was cancelled${why} Its work may be half done.`;
  return { result: { ...about, reason: reason ?? null }, text, failed: true };
}
