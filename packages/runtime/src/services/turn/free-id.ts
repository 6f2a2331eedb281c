import type { Message } from "../../ports/model.ts";

/** The ids of calls that a conversation holds. */
export function usedIds(messages: readonly Message[]): Set<string> {
  const used = new Set<string>();
  for (const message of messages) {
    if (message.role === "tool") used.add(message.tool_call_id);
    if (message.role !== "assistant") continue;
    for (const { tool_call_id } of message.tool_calls ?? []) used.add(tool_call_id);
  }
  return used;
}

/**
 * The id, or one made from it that nobody has yet; taken from then on. Some models say `call_0` in every answer, and
 * what becomes of a call is told by its id.
 */
export function freeId(id: string, used: Set<string>): string {
  let free = id === "" ? "call-1" : id;
  for (let n = 2; used.has(free); n++) free = `${id === "" ? "call" : id}-${n}`;
  used.add(free);
  return free;
}
