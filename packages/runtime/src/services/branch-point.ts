import {
  type AnyEvent,
  FairleadError,
  type ResumeKind,
  isId,
  parseResumeCursor,
  printResumeCursor,
} from "@fairlead/contract";
import type { EventLog, StreamInfo } from "../ports/event-log.ts";
import type { BranchFrom } from "./types.ts";

/** The last event that a branch shares, and the cursor that leads to it. */
export interface BranchPoint {
  readonly event: AnyEvent;
  readonly resume_cursor: string;
}

/** Kinds that name one sort of event; the others name any place. */
const EVENT_OF: Partial<Record<ResumeKind, string>> = {
  turn: "runtime.request.completed",
  checkpoint: "runtime.session.checkpoint",
  approval: "runtime.question.asked",
};

/** Throws event_not_found, resume_cursor_invalid or history_trimmed. */
export async function findPoint(log: EventLog, stream: StreamInfo, from: BranchFrom): Promise<BranchPoint> {
  const { from_event_id, resume_cursor } = from;
  if (resume_cursor !== undefined)
    return { event: await eventOfCursor(log, stream, resume_cursor), resume_cursor };
  const event =
    from_event_id === undefined
      ? await eventAt(log, stream, stream.head_seq)
      : await eventNamed(log, stream, from_event_id);
  if (event === undefined)
    throw new FairleadError("event_not_found", {
      details: { session_id: stream.id, event_id: from_event_id ?? null },
    });
  return { event, resume_cursor: cursorOf(event) };
}

function cursorOf({ type, stream, seq }: AnyEvent): string {
  const kind = (Object.keys(EVENT_OF) as ResumeKind[]).find((one) => EVENT_OF[one] === type) ?? "event";
  return printResumeCursor({ kind, session: stream, seq });
}

/** An event of another session and one that never was get the same answer. */
async function eventNamed(log: EventLog, stream: StreamInfo, id: string): Promise<AnyEvent | undefined> {
  const found = isId("event", id) ? await log.findEvent(id) : undefined;
  if (found === undefined || !(await inherits(log, stream, found.stream))) return undefined;
  const event = await eventAt(log, stream, found.seq);
  return event?.id === id ? event : undefined;
}

async function eventOfCursor(log: EventLog, stream: StreamInfo, text: string): Promise<AnyEvent> {
  const cursor = parseResumeCursor(text);
  if (cursor !== undefined && (await inherits(log, stream, cursor.session))) {
    const event = await eventAt(log, stream, cursor.seq);
    const type = EVENT_OF[cursor.kind];
    if (event?.stream === cursor.session && (type === undefined || event.type === type)) return event;
  }
  throw new FairleadError("resume_cursor_invalid", {
    details: { session_id: stream.id, resume_cursor: text },
  });
}

/** Whether `other` is the stream or one that it goes on from. */
async function inherits(log: EventLog, stream: StreamInfo, other: string): Promise<boolean> {
  for (let at: StreamInfo | undefined = stream; at !== undefined;) {
    if (at.id === other) return true;
    at = at.parent === null ? undefined : await log.stream(at.parent);
  }
  return false;
}

/** The event at this place of the stream's whole history. */
async function eventAt(log: EventLog, stream: StreamInfo, seq: number): Promise<AnyEvent | undefined> {
  if (seq <= stream.floor_seq)
    throw new FairleadError("history_trimmed", {
      details: { session_id: stream.id, seq, floor_seq: stream.floor_seq },
    });
  const { events } = await log.read(stream.id, { after: seq - 1, limit: 1, history: "full" });
  return events[0]?.seq === seq ? events[0] : undefined;
}
