import type { AnyEvent, StreamId } from "@fairlead/contract";
import { is } from "../../domain/event.ts";
import type { AfterFork, WaveAt } from "../../domain/workspace/at-fork.ts";
import { isUnkept } from "../../domain/workspace/own-place.ts";
import type { EventLog } from "../../ports/event-log.ts";
import { type FoundSnapshot, snapshotIn } from "./newest.ts";
import { reading } from "./reading.ts";

const DIRECT = ["runtime.tool.direct.started", "runtime.tool.direct.completed"];
const CALLS = ["agent.tool.batch", "agent.tool.start", "agent.tool.result", "agent.tool.outcome", ...DIRECT];
const AFTER = [
  "agent.tool.batch",
  "agent.tool.start",
  "runtime.artifact.created",
  "runtime.request.started",
  "runtime.turn.ended",
  "runtime.sandbox.notice",
  ...DIRECT,
];

/** What a session does, or is told to do. */
const WORK = [...CALLS, "runtime.request.started", "agent.output.delta", "agent.output.completed"];

/** The last wave that began after the snapshot, of an agent or of a person who calls a tool; undefined where none did. */
export async function waveAt(
  log: EventLog,
  session: StreamId,
  since: number,
  fork: number,
): Promise<WaveAt | undefined> {
  const ended = new Set<string>();
  let seq: number | undefined;
  let calls: readonly string[] = [];
  const unseen = new Set<string>();
  let writes = false;
  for await (const event of reading(log, session, { before: fork + 1, types: CALLS })) {
    if (seq === undefined) {
      if (event.seq <= since) return undefined;
      const over = overIn(event);
      if (over !== undefined) ended.add(over);
      if (isDirectWrite(event)) {
        const done = ended.has(event.turn_id ?? "") ? 1 : 0;
        return { seq: event.seq, writes: true, ended: done, running: 1 - done };
      }
      if (!is(event, "agent.tool.batch")) continue;
      seq = event.seq;
      calls = event.data.tool_call_ids;
      for (const id of calls) unseen.add(id);
    } else if (is(event, "agent.tool.start") && unseen.delete(event.data.tool_call_id)) {
      writes ||= mayWrite(event.data);
    }
    if (unseen.size === 0) break;
  }
  if (seq === undefined) return undefined;
  const done = calls.filter((id) => ended.has(id)).length;
  return { seq, writes: writes || unseen.size > 0, ended: done, running: calls.length - done };
}

/** Which call is over. A person's has the name of its request. */
function overIn(event: AnyEvent): string | undefined {
  if (is(event, "agent.tool.result") || is(event, "agent.tool.outcome")) return event.data.tool_call_id;
  return is(event, "runtime.tool.direct.completed") ? (event.turn_id ?? undefined) : undefined;
}

function isDirectWrite(event: AnyEvent): boolean {
  return is(event, "runtime.tool.direct.started") && event.data.effect !== "none";
}

function mayWrite({
  access,
  delegates,
}: {
  readonly access?: unknown;
  readonly delegates?: unknown;
}): boolean {
  return access !== "read" || delegates === true;
}

/** Tells, event by event, whether one of them is the beginning of calls that can write. */
function createBeginnings(): (event: AnyEvent) => boolean {
  const reads = new Set<string>();
  return (event) => {
    if (is(event, "agent.tool.start") && !mayWrite(event.data)) reads.add(event.data.tool_call_id);
    if (is(event, "agent.tool.batch")) return !event.data.tool_call_ids.every((id) => reads.has(id));
    return isDirectWrite(event);
  };
}

/** What is said first after the fork of the files, or of the end of what could change them. */
export async function afterFork(
  log: EventLog,
  session: StreamId,
  fork: number,
): Promise<{ readonly comes: AfterFork; readonly snapshot?: FoundSnapshot; readonly unkept?: AnyEvent }> {
  const begins = createBeginnings();
  for await (const event of reading(log, session, { after: fork, types: AFTER })) {
    const snapshot = snapshotIn(event);
    if (snapshot !== undefined) return { comes: "snapshot", snapshot };
    if (isUnkept(event)) return { comes: "unkept", unkept: event };
    if (begins(event) || is(event, "runtime.request.started") || hasEnded(event)) return { comes: "over" };
  }
  return { comes: "nothing" };
}

function hasEnded(event: AnyEvent): boolean {
  return is(event, "runtime.turn.ended") && event.data.status !== "parked";
}

/** Whether this is the end of what the session did: what comes after it only says how it stands. */
export async function isHead(log: EventLog, session: StreamId, fork: number): Promise<boolean> {
  const { events } = await log.read(session, { after: fork, types: WORK, limit: 1, history: "full" });
  return events.length === 0;
}

/**
 * Whether this session wrote after the fork, as far as its log tells: the files are other than these, or nobody kept them.
 * That it did not says nothing of what others wrote.
 */
export async function wroteAfter(
  log: EventLog,
  session: StreamId,
  fork: number,
  { ref, seq }: FoundSnapshot,
): Promise<boolean> {
  const begins = createBeginnings();
  let open = false;
  for await (const event of reading(log, session, { after: fork, types: AFTER })) {
    const snapshot = snapshotIn(event);
    if (isUnkept(event) || (snapshot !== undefined && snapshot.seq > seq && snapshot.ref !== ref))
      return true;
    if (begins(event)) open = true;
    // Whatever ran was kept by then, and was the same.
    if (snapshot !== undefined || hasEnded(event) || is(event, "runtime.tool.direct.completed")) open = false;
  }
  return open;
}
