import type { EventData, StreamId, SubagentRow } from "@fairlead/contract";
import type { Projection } from "../ports/projection.ts";
import { hashJson } from "./canonical.ts";
import { isEnd } from "./delegation/status.ts";
import { is } from "./event.ts";

/** Names of sub-agents are unique in their session at best, and of any length. */
export function subagentKey(stream: StreamId, agent_id: string): string {
  return hashJson([stream, agent_id]);
}

/** What a session delegated, one row for each sub-agent: what its last event said, and what earlier ones did not unsay. */
export const subagentProjection: Projection<SubagentRow> = {
  kind: "subagent",
  types: ["runtime.subagent.event"],
  key: (event) =>
    is(event, "runtime.subagent.event") ? subagentKey(event.stream, event.data.agent_id) : null,
  evolve(row, event) {
    if (!is(event, "runtime.subagent.event")) throw new Error(`${event.id} is about no sub-agent.`);
    const { agent_id, parent_session_id, session_id, task, reason, tool_call_id, details } = event.data;
    const { depth, summary, tokens, cost_usd } = event.data;
    const questions = openQuestions(row?.questions ?? [], event.data);
    return {
      agent_id,
      status: statusOf(row, questions, event.data.status),
      parent_session_id,
      session_id: session_id ?? row?.session_id ?? null,
      task: task ?? row?.task ?? null,
      reason: reason ?? null,
      tool_call_id: tool_call_id ?? row?.tool_call_id ?? null,
      depth: depth ?? row?.depth ?? null,
      questions,
      summary: summary ?? row?.summary ?? null,
      tokens: tokens ?? row?.tokens ?? null,
      cost_usd: cost_usd ?? row?.cost_usd ?? null,
      details: details ?? row?.details ?? null,
      started_at: row?.started_at ?? event.at,
      updated_at: event.at,
      event_id: event.id,
      seq: event.seq,
    };
  },
  // Lists of them are of one session, and show all.
  state: () => "kept",
  // Within one session the seq is the better clock.
  at: (row) => row.seq,
};

/** Those that wait for a person: one that was decided is told with its decision. */
function openQuestions(
  before: readonly string[],
  { status, request_id, decision }: EventData<"runtime.subagent.event">,
): string[] {
  if (isEnd(status)) return [];
  const others = before.filter((one) => one !== request_id);
  return request_id === undefined || decision !== undefined ? others : [...others, request_id];
}

/** One of several questions decided is not all of them, and what is over stays over. */
function statusOf(row: SubagentRow | undefined, questions: readonly string[], said: string): string {
  if (row !== undefined && isEnd(row.status) && !isEnd(said)) return row.status;
  return questions.length > 0 ? "awaiting_approval" : said;
}
