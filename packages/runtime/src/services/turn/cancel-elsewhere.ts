import type { AnyEvent, SessionId } from "@fairlead/contract";
import { is } from "../../domain/event.ts";
import { isOpen } from "../../domain/turn.ts";
import type { EventLog } from "../../ports/event-log.ts";
import type { Timers } from "../../ports/timers.ts";
import { taken } from "../refusal.ts";
import type { Driven } from "../loop/drive.ts";
import { loadSession } from "./load-session.ts";

/** How long a process has to end a turn that it was asked to end. */
const PATIENCE_MS = 10_000;

export interface CancelRequest {
  readonly session: SessionId;
  readonly turn_id: string;
  readonly actor: string;
  readonly reason: string;
}

/**
 * Ends the run when the log asks for it: who wants to stop a turn that another process drives can
 * only write to the log. Follows until the run has ended; never rejects.
 */
export async function heedCancel(
  log: EventLog,
  session: SessionId,
  run: Driven,
  after: number,
  report: (error: unknown) => void,
): Promise<void> {
  const ended = new AbortController();
  void run.done.then(() => ended.abort());
  try {
    for await (const batch of log.subscribe(session, { after, signal: ended.signal })) {
      for (const event of batch) {
        if (is(event, "runtime.session.pausing")) run.nudge();
        if (!is(event, "runtime.turn.cancelling") || event.data.turn_id !== run.turn()) continue;
        const { actor, reason } = event.data;
        void run.stop({ kind: "cancel", actor, reason });
      }
    }
  } catch (error) {
    report(error);
  }
}

/** Asks the process that drives the turn to end it. False when it has not within a while. */
export async function requestCancel(log: EventLog, timers: Timers, request: CancelRequest): Promise<boolean> {
  const { session, turn_id, actor, reason } = request;
  const [asked] = taken(
    await log.append({
      writes: [
        {
          stream: session,
          events: [{ type: "runtime.turn.cancelling", turn_id, data: { turn_id, actor, reason } }],
        },
      ],
    }),
  );
  // It may have ended just before it was asked to, and would not be heard of any more.
  const { turn } = await loadSession(log, session);
  if (turn.turn_id !== turn_id || !isOpen(turn)) return true;
  const enough = new AbortController();
  const callOff = timers.after(PATIENCE_MS, () => enough.abort());
  const ends = (event: AnyEvent) =>
    is(event, "runtime.turn.ended") && event.data.turn_id === turn_id && event.data.status !== "parked";
  try {
    for await (const batch of log.subscribe(session, { after: asked?.seq ?? 0, signal: enough.signal })) {
      if (batch.some(ends)) return true;
    }
    return false;
  } finally {
    callOff();
  }
}
