import { subagentLine } from "../subagent-line.ts";
import { add, type Handlers, note } from "./fold.ts";
import { settled } from "./handle-output.ts";
import type { View } from "./model.ts";

export const SUBAGENTS: Handlers = {
  subagent_event(view, event, told) {
    const { agent_id, status, request_id, tool_name, decision } = event;
    if (request_id === undefined) return note(settled(view), told, subagentLine(event));
    if (decision !== undefined) return note(settled(without(view, request_id)), told, subagentLine(event));
    if (status !== "awaiting_approval" || view.pending.includes(request_id)) return view;
    // Asked here, as one's own are: it is decided by its id, wherever it was asked.
    return add(
      { ...settled(view), pending: [...view.pending, request_id] },
      {
        kind: "question",
        key: told.id,
        final: false,
        requestId: request_id,
        tool: `${agent_id}: ${tool_name ?? "a tool"}`,
        row: undefined,
      },
    );
  },
};

function without(view: View, request_id: string): View {
  return {
    ...view,
    pending: view.pending.filter((one) => one !== request_id),
    items: view.items.filter(
      (item) => item.kind !== "question" || item.requestId !== request_id || item.final,
    ),
  };
}
