import { FairleadError, type SessionId } from "@fairlead/contract";
import { is } from "../../domain/event.ts";
import type { EventLog } from "../../ports/event-log.ts";

export interface StopChildDeps {
  readonly log: EventLog;
  /** Ends the open turn. Throws turn_not_found, or turn_active when another process has not ended it yet. */
  readonly cancel: (session: SessionId, reason: string) => Promise<unknown>;
  /** Ends a turn that has not begun. False when somebody else holds the session. */
  readonly cancelHeld: (session: SessionId, reason: string) => Promise<boolean>;
  readonly pause: () => Promise<void>;
  readonly report: (error: unknown) => void;
}

/** More than enough for one that is about to begin or to end; each try at another process has its own patience. */
const TRIES = 100;
const PATIENT_TRIES = 6;
const AGAIN: readonly unknown[] = ["turn_not_found", "turn_active"];

/**
 * Ends what was delegated to a session, wherever it is: not begun, driven here or elsewhere, or parked. Resolves when
 * its end is on record. Who cannot be ended in time has it in its log that it is to end, and that is reported here.
 */
export function createStopChild(deps: StopChildDeps): (session: SessionId, reason: string) => Promise<void> {
  const { log, cancel, cancelHeld, pause, report } = deps;

  async function stopOnce(session: SessionId, reason: string): Promise<"tried" | "elsewhere"> {
    try {
      await cancel(session, reason);
      return "tried";
    } catch (error) {
      const code = error instanceof FairleadError ? error.code : undefined;
      if (!AGAIN.includes(code)) throw error;
      if (code === "turn_active") return "elsewhere";
      if (!(await hasEnded(log, session)) && !(await cancelHeld(session, reason))) await pause();
      return "tried";
    }
  }

  return async (session, reason) => {
    try {
      let patience = PATIENT_TRIES;
      for (let tries = 0; tries < TRIES && patience > 0; tries++) {
        if (await hasEnded(log, session)) return;
        if ((await stopOnce(session, reason)) === "elsewhere") patience -= 1;
      }
      report(new Error(`The sub-agent in ${session} was told to stop and has not ended yet.`));
    } catch (error) {
      report(error);
    }
  };
}

/** The first turn of a sub-agent's session is what was delegated. A session that is gone has nothing to end. */
async function hasEnded(log: EventLog, session: SessionId): Promise<boolean> {
  const stream = await log.stream(session);
  if (stream === undefined || stream.state === "purged") return true;
  for (let after: number | null = 0; after !== null;) {
    const page = await log.read(session, { after, types: ["runtime.turn.ended"] });
    if (page.events.some((event) => is(event, "runtime.turn.ended") && event.data.status !== "parked"))
      return true;
    after = page.next;
  }
  return false;
}
