import type { EventData, SessionId, StreamId } from "@fairlead/contract";
import { given } from "../given.ts";
import type { LoopState, TurnOfLoop } from "../loop/state.ts";
import { isEnd } from "./status.ts";

/** What an event about a sub-agent makes of the session it is told to. `stream`: where it was told. */
export function foldSubagent(
  state: LoopState,
  turn: TurnOfLoop | null,
  data: EventData<"runtime.subagent.event">,
  stream: StreamId,
): void {
  // The session at the top hears of what its sub-agents delegate, and waits only for its own.
  if (data.parent_session_id !== stream) return;
  if (data.status === "started") state.agents += 1;
  const call = turn?.calls.find(({ requested }) => requested.tool_call_id === data.tool_call_id);
  if (turn === null || call === undefined) return;
  const session_id = data.session_id as SessionId;
  if (data.status === "started" && call.stage.at === "running") call.stage = { at: "away", session_id };
  if (!isEnd(data.status) || call.stage.at !== "away" || call.stage.session_id !== session_id) return;
  const { agent_id, status, output = "", reason } = data;
  const { tokens = 0, output_tokens = 0, cost_usd = 0, elapsed_ms = 0 } = data;
  const used = { tokens, output_tokens, cost_usd, elapsed_ms };
  call.stage = { at: "back", session_id, agent_id, status, output, ...given({ reason }), ...used };
  if (turn.waits !== null)
    turn.waits = turn.waits.filter((wait) => wait.kind !== "session" || wait.session_id !== session_id);
}

export function isAway({ calls }: TurnOfLoop, session_id: string): boolean {
  return calls.some(({ stage }) => stage.at === "away" && stage.session_id === session_id);
}
