import type { NewEvent, SessionId, SessionSettings, SessionState } from "@fairlead/contract";
import { stateOf } from "../domain/session.ts";
import type { EventLog } from "../ports/event-log.ts";
import { refused } from "./refusal.ts";
import { loadSession } from "./turn/load-session.ts";

/** So often somebody else writes first before this is refused: whoever drives the session writes all the time. */
const TRIES = 500;
const AGAIN: ReadonlySet<string> = new Set(["seq_conflict", "key_taken"]);

/** What is written in the same commit. */
export interface Beside {
  readonly events: readonly NewEvent[];
  /** Taken by somebody else: it is looked at again. */
  readonly keys: readonly string[];
}

const ALONE: Beside = { events: [], keys: [] };

/**
 * Changes how a session works. What is changed follows from the state that the guard names, at each try anew: two who
 * change the same thing at once do not undo each other. A driver that has not heard of it yet does not undo it either.
 * Throws seq_conflict, with nothing written, where others are always first.
 */
export async function restate(
  log: EventLog,
  session: SessionId,
  actor: string,
  changesOf: (state: SessionState) => SessionSettings,
  besideOf: (state: SessionState) => Promise<Beside> = async () => ALONE,
): Promise<void> {
  for (let tries = 1; ; tries++) {
    const expectedSeq = (await log.stream(session))?.head_seq ?? 0;
    const before = stateOf(await loadSession(log, session));
    const changes = changesOf(before);
    const said: NewEvent[] = [
      { type: "runtime.session.configured", data: { session_id: session, actor, changes } },
      { type: "runtime.session.state", data: { ...before, ...changes } },
    ];
    const { events, keys } = await besideOf(before);
    const write = { stream: session, events: [...said, ...events], guard: { expectedSeq } };
    const appended = await log.append({ writes: [write], keys });
    if (appended.ok) return;
    if (tries === TRIES || !AGAIN.has(appended.refusal.code)) throw refused(appended.refusal);
  }
}
