import { FairleadError, type SessionId, type SubagentRow, isId } from "@fairlead/contract";
import { type StoredSession, stateOf } from "../../domain/session.ts";
import { isOpen } from "../../domain/turn.ts";
import type { Wake } from "../../domain/wake.ts";
import type { EventLog, StreamInfo } from "../../ports/event-log.ts";
import type { Ids } from "../../ports/ids.ts";
import { retireStream } from "../retire.ts";

type Session = StreamInfo & { readonly id: SessionId };

/**
 * Deletes a session for good, and first the sessions of its sub-agents: what they hold was made of what it holds. Throws
 * turn_active while one of them works, and for a sub-agent's own session while somebody waits for it. Returns which.
 */
export async function retireFamily(
  deps: { readonly log: EventLog; readonly ids: Ids },
  session: Session,
  actor: string,
  reason: string,
): Promise<readonly SessionId[]> {
  const { log } = deps;
  const family = [...(await below(log, session.id)), session];
  for (const one of family) await demandIdle(log, one);
  for (const one of family) await retireStream(deps, one, actor, reason);
  return family.map(({ id }) => id);
}

/** All that was delegated from here, the deepest first. */
async function below(log: EventLog, session: SessionId): Promise<Session[]> {
  const found: Session[] = [];
  for (let cursor: string | undefined; ;) {
    const page = await log.rows<SubagentRow>("subagent", {
      stream: session,
      scope: { owner: "any" },
      cursor,
    });
    for (const { session_id, parent_session_id } of page.rows) {
      // The session at the top knows of all of them; each is found below the one that delegated it.
      if (parent_session_id !== session || !isId("session", session_id)) continue;
      const stream = await log.stream(session_id);
      if (stream === undefined || stream.state === "purged") continue;
      found.push(...(await below(log, session_id)), { ...stream, id: session_id });
    }
    if (page.cursor === null) return found;
    cursor = page.cursor;
  }
}

async function demandIdle(log: EventLog, { id, kind }: Session): Promise<void> {
  if (kind !== "subagent") return;
  const row = await log.row<StoredSession>("session", id);
  const wake = await log.row<Wake>("wake", id);
  if (row === undefined || !(isOpen(row.turn) || (wake?.held.length ?? 0) > 0)) return;
  const { delegation } = stateOf(row);
  throw new FairleadError("turn_active", {
    message: `The sub-agent ${delegation?.agent_id ?? ""} in ${id} still works: cancel its turn first.`,
    details: { session_id: id },
  });
}
