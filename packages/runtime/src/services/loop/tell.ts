import type { AnyEvent, NewEvent } from "@fairlead/contract";
import { is } from "../../domain/event.ts";
import { effectOf } from "../../domain/loop-supervision/effect-of.ts";
import { noticeOf, noticesOf } from "../../domain/loop-supervision/notices.ts";
import { payloadOf } from "../../domain/loop-supervision/payloads.ts";
import type { Drive } from "./context.ts";
import { runOf } from "./context.ts";

/** Tells supervisors outside what has happened, once it is durable, without waiting for them. */
export function tellSupervisors(drive: Drive, events: readonly AnyEvent[]): void {
  const { supervision, session, place, journal } = drive;
  if (!supervision.takesNotices) return;
  const run = runOf(drive);
  const started = events.find((event) => is(event, "runtime.request.started"));
  if (started !== undefined && journal.state.turns === 1) {
    const { type, payload } = noticeOf.sessionStart({ session_id: session, workspace: place.path() });
    supervision.notify(run, type, payload);
  }
  const turnMs = drive.clock.now() - drive.since();
  for (const { type, payload } of noticesOf(events as readonly NewEvent[], { session_id: session, turnMs }))
    supervision.notify(run, type, payload);
}

/** Whether there may be work between turns: a snapshot can wait. There is no turn that its records could belong to. */
export async function mayTidyUp(drive: Drive): Promise<boolean> {
  const { supervision, journal } = drive;
  if (!supervision.asks("idle")) return true;
  const payload = payloadOf.idle({ ms: 0, reason: "The turn is over.", suggested: "snapshot" });
  const judgement = await supervision.judge(runOf(drive), "idle", payload, async (before) => {
    journal.emit(before);
    await journal.flush();
  });
  journal.emit(judgement.records);
  await journal.flush();
  return effectOf("idle", judgement).kind !== "later";
}
