import type { NewEvent, SessionId } from "@fairlead/contract";
import { FairleadError } from "@fairlead/contract";
import { type StoredSession, stateOf } from "../../domain/session.ts";
import { type AnyTurnCommand, type TurnContext, decideTurn } from "../../domain/turn-decide.ts";
import type { Appended, EventLog, Lease } from "../../ports/event-log.ts";

export async function loadSession(log: EventLog, id: SessionId): Promise<StoredSession> {
  const row = await log.row<StoredSession>("session", id);
  if (row === undefined) throw new FairleadError("session_not_found", { details: { session_id: id } });
  return row;
}

export function contextOf(row: StoredSession): TurnContext {
  return { turn: row.turn, state: stateOf(row) };
}

/**
 * Ends the open turn of a session whose lease is held. Only the holder writes the session's state, so
 * the epoch is guard enough: there is no conflict to load again for.
 */
export async function endTurn(
  log: EventLog,
  lease: Lease,
  command: Exclude<AnyTurnCommand, { kind: "start" }>,
  before: readonly NewEvent[] = [],
): Promise<Appended> {
  const decision = decideTurn(contextOf(await loadSession(log, lease.stream as SessionId)), command);
  if (!decision.ok) return decision;
  const events = [...before, ...decision.events];
  return log.append({ writes: [{ stream: lease.stream, events, guard: { epoch: lease.epoch } }] });
}
