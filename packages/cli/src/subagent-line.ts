import type { FrontendPayload } from "@fairlead/contract";

const MOST_CHARS = 100;

/** What a person sees of a change of delegated work: which, what became of it, and what it is about. */
export function subagentLine(event: FrontendPayload<"subagent_event">): string {
  const { agent_id, status, task, reason, request_id, tool_name, summary, decision } = event;
  switch (status) {
    case "started":
      return `${agent_id} started: ${short(task)}`;
    case "awaiting_approval":
      return `${agent_id} waits for a decision: ${request_id ?? ""} ${tool_name ?? ""}: ${short(reason)}`;
    case "running":
      return `${agent_id} goes on${decision === undefined ? "" : ` (${decision})`}`;
    case "completed":
      return `${agent_id} is done: ${short(summary)}`;
    default:
      return `${agent_id} ${status}: ${short(reason ?? task)}`;
  }
}

function short(text: string | undefined): string {
  const chars = Array.from((text ?? "").replaceAll(/\s+/g, " ").trim());
  return chars.length > MOST_CHARS ? `${chars.slice(0, MOST_CHARS - 1).join("")}…` : chars.join("");
}
