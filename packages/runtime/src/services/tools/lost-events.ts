import type { EventData, NewEvent } from "@fairlead/contract";
import type { DirectCall } from "../../domain/direct.ts";
import type { EventLog } from "../../ports/event-log.ts";
import { refused } from "../refusal.ts";

/** False when somebody else was first to say it. */
export async function writeLost(
  log: EventLog,
  { session_id, request_id: turn_id, agent_id, started }: DirectCall,
  events: readonly NewEvent[],
  key: string,
): Promise<boolean> {
  const placed = events.map((event) => ({ ...event, turn_id, agent_id, cause: started?.id ?? null }));
  const appended = await log.append({ writes: [{ stream: session_id, events: placed }], keys: [key] });
  if (appended.ok || appended.refusal.code === "key_taken") return appended.ok;
  throw refused(appended.refusal);
}

export function verdict(
  { tool_call_id, tool_name, effect }: DirectCall,
  said: EventData<"runtime.effect.verdict">["verdict"],
  reason: string,
): NewEvent {
  return {
    type: "runtime.effect.verdict",
    data: { tool_call_id, tool_name, effect, verdict: said, reason },
  };
}

export function completed({ tool_name }: DirectCall, output: unknown): NewEvent {
  return { type: "runtime.tool.direct.completed", data: { tool_id: tool_name, output } };
}

export function ended(row: DirectCall, error: string): NewEvent {
  return completed(row, { status: "error", error });
}
