import type { NewEvent, SessionId, SessionSettings, SessionState } from "@fairlead/contract";
import { type StoredSession, stateOf } from "../domain/session.ts";
import type { EventLog } from "../ports/event-log.ts";
import { refused, taken } from "./refusal.ts";
import { loadSession } from "./turn/load-session.ts";

/** How often the state is said anew against whoever drives the session, before it is left to them. */
const TRIES = 8;
const AGAIN: ReadonlySet<string> = new Set(["seq_conflict", "key_taken"]);

/** What is written in the same commit. */
export interface Beside {
  readonly events: readonly NewEvent[];
  /** Taken by somebody else: it is looked at again. */
  readonly keys: readonly string[];
}

const ALONE: Beside = { events: [], keys: [] };

/**
 * Changes how a session works. A driver that has not heard of it yet does not undo it, and a state said beside it does
 * not undo what the driver says in the same moment: then the driver's next one shows it.
 */
export async function restate(
  log: EventLog,
  session: SessionId,
  actor: string,
  changesOf: (state: SessionState) => SessionSettings,
  besideOf: (state: SessionState) => Promise<Beside> = async () => ALONE,
): Promise<void> {
  const configured = (row: StoredSession): NewEvent => ({
    type: "runtime.session.configured",
    data: { session_id: session, actor, changes: changesOf(stateOf(row)) },
  });
  for (let tries = 0; tries < TRIES; tries++) {
    const expectedSeq = (await log.stream(session))?.head_seq ?? 0;
    const row = await loadSession(log, session);
    const state: NewEvent = {
      type: "runtime.session.state",
      data: { ...stateOf(row), ...changesOf(stateOf(row)) },
    };
    const guard = { expectedSeq };
    const { events, keys } = await besideOf(stateOf(row));
    const appended = await log.append({
      writes: [{ stream: session, events: [configured(row), state, ...events], guard }],
      keys,
    });
    if (appended.ok) return;
    if (!AGAIN.has(appended.refusal.code)) throw refused(appended.refusal);
  }
  const row = await loadSession(log, session);
  const { events, keys } = await besideOf(stateOf(row));
  taken(await log.append({ writes: [{ stream: session, events: [configured(row), ...events] }], keys }));
}
