import type { NewEvent, SessionId, SubagentRow } from "@fairlead/contract";
import { isEnd } from "../../domain/delegation/status.ts";
import { OWN_AGENT } from "../../domain/turn-decide.ts";
import type { EventLog, StreamWrite } from "../../ports/event-log.ts";
import type { Drive } from "../loop/context.ts";
import { everyRow } from "../rows.ts";
import { workingChildren } from "./stop.ts";

export interface Word {
  readonly type: "runtime.session.pausing" | "runtime.session.resuming";
  readonly actor: string;
  readonly reason: string;
}

/** Said to what was delegated when the session above goes on by itself. */
export const GOES_ON: Word = {
  type: "runtime.session.resuming",
  actor: OWN_AGENT,
  reason: "The session above goes on.",
};

/**
 * Tells the sub-agents of the open turn to wait, or to go on, in the commit that says so of this session. Only who holds
 * the lease of the session above tells them, so they hear it in the order in which it was meant.
 */
export function tellWorking(
  { journal, children }: Pick<Drive, "journal" | "children">,
  word: Word,
): () => void {
  if (journal.state.turn === null) return () => {};
  const working = workingChildren({ journal });
  for (const session of working) journal.beside(wordFor(session, word));
  return () => working.forEach((session) => children.nudge(session));
}

/** The same for a session that nobody drives: for those that its rows say are at work. */
export async function wordsBelow(
  log: EventLog,
  session: SessionId,
  word: Word,
): Promise<readonly StreamWrite[]> {
  const found: StreamWrite[] = [];
  for await (const row of everyRow<SubagentRow>(log, "subagent", { stream: session }))
    if (row.parent_session_id === session && row.session_id !== null && !isEnd(row.status))
      found.push(wordFor(row.session_id as SessionId, word));
  return found;
}

function wordFor(session: SessionId, { type, actor, reason }: Word): StreamWrite {
  const event: NewEvent = { type, data: { session_id: session, actor, reason } };
  return { stream: session, events: [event] };
}
