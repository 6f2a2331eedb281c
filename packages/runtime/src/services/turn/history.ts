import type { AnyEvent, SessionId } from "@fairlead/contract";
import { CONVERSATION_TYPES, conversation } from "../../domain/conversation.ts";
import type { EventLog } from "../../ports/event-log.ts";
import type { Message } from "../../ports/model.ts";
import { wholeEvent } from "../whole.ts";

/** What was said in this session before the event `before`, also on the branch it came from. */
export async function loadHistory(
  log: EventLog,
  session: SessionId,
  before: number,
  most: number,
): Promise<readonly Message[]> {
  const page = await log.read(session, { before, types: CONVERSATION_TYPES, limit: most, history: "full" });
  const events: AnyEvent[] = [];
  for (const event of page.events.toReversed()) events.push(await wholeEvent(log, session, event));
  return conversation(events);
}
