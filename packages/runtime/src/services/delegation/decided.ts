import type { NewEvent, SessionId, SubagentRow } from "@fairlead/contract";
import { isEnd } from "../../domain/delegation/status.ts";
import type { StoredQuestion } from "../../domain/question.ts";
import { subagentKey } from "../../domain/subagent.ts";
import type { EventLog, StreamWrite } from "../../ports/event-log.ts";

/** What the sessions above a sub-agent are told with the decision of its question: it goes on. */
export async function decidedAbove(
  log: Pick<EventLog, "row">,
  row: StoredQuestion,
  decided: NewEvent,
): Promise<readonly StreamWrite[]> {
  const { agent_id, parent_session_id, root_session_id, request_id, tool_name, session_id, depth } = row;
  if (agent_id === undefined || parent_session_id === undefined || root_session_id === undefined) return [];
  if (decided.type !== "runtime.question.decided") return [];
  const { decision, actor } = decided.data;
  const known = await log.row<SubagentRow>("subagent", subagentKey(parent_session_id, agent_id));
  // Withdrawn after its end: that stays as it was.
  const status = known !== undefined && isEnd(known.status) ? known.status : "running";
  const event: NewEvent = {
    type: "runtime.subagent.event",
    agent_id,
    data: {
      agent_id,
      status,
      parent_session_id,
      session_id,
      root_session_id,
      ...(known?.tool_call_id == null ? {} : { tool_call_id: known.tool_call_id }),
      ...(depth === undefined ? {} : { depth }),
      request_id,
      tool_name,
      decision,
      reason: `${actor}: ${decision}`,
    },
  };
  return [...new Set<SessionId>([parent_session_id, root_session_id])].map((stream) => ({
    stream,
    events: [event],
  }));
}
