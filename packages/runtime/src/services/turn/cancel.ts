import { FairleadError, type SessionId } from "@fairlead/contract";
import type { StoredSession } from "../../domain/session.ts";
import { type CancelTurn, turnActive } from "../../domain/turn-decide.ts";
import { isOpen } from "../../domain/turn.ts";
import type { EventLog, Lease } from "../../ports/event-log.ts";
import type { Timers } from "../../ports/timers.ts";
import type { Driven, DriveOptions } from "../loop/drive.ts";
import { refused } from "../refusal.ts";
import { requestCancel } from "./cancel-elsewhere.ts";
import { contextOf, loadSession } from "./load-session.ts";

export interface CancelDeps {
  readonly log: EventLog;
  readonly timers: Timers;
  /** What this process drives of a session. */
  readonly runs: (session: SessionId) => Driven | undefined;
  readonly acquire: (session: SessionId) => Promise<Lease | undefined>;
  readonly launch: (lease: Lease, options: Omit<DriveOptions, "lease" | "carried">) => Promise<Driven>;
}

/** Ends turns, wherever they are: driven here, driven elsewhere, parked, or not begun. */
export interface Cancel {
  /** Throws turn_not_found, and turn_active when another process does not end it. */
  endOpen(session: SessionId, by: string, reason: string): Promise<{ turn_id: string }>;
  /** Ends a turn that has not begun. False when somebody else holds the session. */
  cancelHeld(session: SessionId, reason: string): Promise<boolean>;
}

export function createCancel({ log, timers, runs, acquire, launch }: CancelDeps): Cancel {
  async function endOpen(session: SessionId, by: string, reason: string): Promise<{ turn_id: string }> {
    const why: CancelTurn = { kind: "cancel", reason, actor: by };
    const run = runs(session);
    const here = run?.turn() ?? null;
    if (run !== undefined && here !== null) {
      await run.stop(why);
      if (!(await isStillOpen(session, here))) return { turn_id: here };
    }
    const row = await loadSession(log, session);
    if (!isOpen(row.turn)) throw new FairleadError("turn_not_found");
    const turn_id = row.turn.turn_id ?? "";
    const lease = await acquire(session);
    if (lease === undefined) {
      // It was taken up here meanwhile.
      if (runs(session) !== run && runs(session) !== undefined) return endOpen(session, by, reason);
      if (await requestCancel(log, timers, { session, turn_id, actor: by, reason })) return { turn_id };
      throw activeElsewhere(await loadSession(log, session));
    }
    const alone = await launch(lease, { stop: why });
    await alone.done;
    if (!(await isStillOpen(session, turn_id))) return { turn_id };
    // What kept it from being written, or else somebody who was quicker.
    await alone.begun;
    throw activeElsewhere(await loadSession(log, session));
  }

  async function cancelHeld(session: SessionId, reason: string): Promise<boolean> {
    const lease = await acquire(session);
    if (lease === undefined) return false;
    await (
      await launch(lease, { stop: { kind: "cancel", reason }, stopHeld: true })
    ).done;
    return true;
  }

  async function isStillOpen(session: SessionId, turn_id: string): Promise<boolean> {
    const { turn } = await loadSession(log, session);
    return turn.turn_id === turn_id && isOpen(turn);
  }

  return { endOpen, cancelHeld };
}

export function activeElsewhere(row: StoredSession): FairleadError {
  if (isOpen(row.turn)) return refused(turnActive(contextOf(row)));
  return new FairleadError("turn_active", {
    message: "Another process holds this session.",
    details: { turn_id: null, process_id: null },
  });
}
