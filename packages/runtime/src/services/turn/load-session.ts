import { FairleadError, type SessionId } from "@fairlead/contract";
import { type StoredSession, stateOf } from "../../domain/session.ts";
import type { TurnContext } from "../../domain/turn-decide.ts";
import type { EventLog } from "../../ports/event-log.ts";

export async function loadSession(log: EventLog, id: SessionId): Promise<StoredSession> {
  const row = await log.row<StoredSession>("session", id);
  if (row === undefined) throw new FairleadError("session_not_found", { details: { session_id: id } });
  return row;
}

export function contextOf(row: StoredSession): TurnContext {
  return { turn: row.turn, state: stateOf(row) };
}
