import type { AnyEvent, SessionId } from "@fairlead/contract";
import type { EventLog } from "../../ports/event-log.ts";
import { type Carried, loadCarried, madeCarried } from "./load.ts";

/** Sessions whose state is kept in memory after a turn: the next one need not fold it again. */
const MOST = 64;

/** States of sessions that were made or driven here lately. Whoever takes one must hold the session's lease. */
export interface States {
  take(session: SessionId): Promise<Carried>;
  /** Gives it back, as the fold of the log up to its `seq`. */
  keep(session: SessionId, carried: Carried): void;
  /** A session was made with these events: most are spoken to at once. */
  made(session: SessionId, events: readonly AnyEvent[]): void;
}

export function createStates(log: EventLog): States {
  const driven = new Map<SessionId, Carried>();
  /** Apart, so that many that nobody speaks to do not take the place of those that are. */
  const fresh = new Map<SessionId, Carried>();
  return {
    async take(session) {
      const carried = driven.get(session) ?? fresh.get(session);
      driven.delete(session);
      fresh.delete(session);
      return carried ?? loadCarried(log, session);
    },
    keep: (session, carried) => put(driven, session, carried),
    made(session, events) {
      const carried = madeCarried(events);
      if (carried !== undefined) put(fresh, session, carried);
    },
  };
}

/** Who was used longest ago gives way. */
function put(kept: Map<SessionId, Carried>, session: SessionId, carried: Carried): void {
  kept.delete(session);
  kept.set(session, carried);
  if (kept.size <= MOST) return;
  const oldest = kept.keys().next();
  if (!oldest.done) kept.delete(oldest.value);
}
