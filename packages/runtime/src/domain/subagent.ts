import type { SubagentRow } from "@fairlead/contract";
import type { Projection } from "../ports/projection.ts";
import { hashJson } from "./canonical.ts";
import { is } from "./event.ts";

/** What a session delegated, one row for each sub-agent: what its last event said, and what earlier ones did not unsay. */
export const subagentProjection: Projection<SubagentRow> = {
  kind: "subagent",
  types: ["runtime.subagent.event"],
  // Names of sub-agents are unique in their session at best, and of any length.
  key: (event) =>
    is(event, "runtime.subagent.event") ? hashJson([event.stream, event.data.agent_id]) : null,
  evolve(row, event) {
    if (!is(event, "runtime.subagent.event")) throw new Error(`${event.id} is about no sub-agent.`);
    const { agent_id, status, parent_session_id, session_id, task, reason, tool_call_id, details } =
      event.data;
    return {
      agent_id,
      status,
      parent_session_id,
      session_id: session_id ?? row?.session_id ?? null,
      task: task ?? row?.task ?? null,
      reason: reason ?? null,
      tool_call_id: tool_call_id ?? row?.tool_call_id ?? null,
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
