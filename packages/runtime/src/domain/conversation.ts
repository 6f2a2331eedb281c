import type { AnyEvent } from "@fairlead/contract";
import type { Message } from "../ports/model.ts";
import { is } from "./event.ts";

/** The events that a conversation is folded from. */
export const CONVERSATION_TYPES = ["runtime.request.started", "runtime.request.completed"] as const;

/** What was said before, from the turns that were answered: a request without an answer would confuse the model. */
export function conversation(events: readonly AnyEvent[]): Message[] {
  const asked = new Map<string, string>();
  const messages: Message[] = [];
  for (const event of events) {
    if (is(event, "runtime.request.started")) asked.set(event.data.turn_id, event.data.input);
    if (!is(event, "runtime.request.completed")) continue;
    const input = asked.get(event.data.turn_id);
    if (input !== undefined)
      messages.push({ role: "user", text: input }, { role: "assistant", text: event.data.output });
  }
  return messages;
}
