import type { SessionId } from "@fairlead/contract";
import type { EventLog } from "../../ports/event-log.ts";
import { type Carried, loadCarried } from "./load.ts";

/** Sessions whose state is kept in memory after a turn: the next one need not fold it again. */
const MOST = 64;

/** States of sessions that were driven here lately. Whoever takes one must hold the session's lease. */
export interface States {
  take(session: SessionId): Promise<Carried>;
  /** Gives it back, as the fold of the log up to its `seq`. */
  keep(session: SessionId, carried: Carried): void;
}

export function createStates(log: EventLog): States {
  const kept = new Map<SessionId, Carried>();
  return {
    async take(session) {
      const carried = kept.get(session);
      kept.delete(session);
      return carried ?? loadCarried(log, session);
    },
    keep(session, carried) {
      kept.delete(session);
      kept.set(session, carried);
      if (kept.size <= MOST) return;
      const oldest = kept.keys().next();
      if (!oldest.done) kept.delete(oldest.value);
    },
  };
}
