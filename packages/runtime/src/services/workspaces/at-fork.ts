import type { AnyEvent, StreamId } from "@fairlead/contract";
import { is } from "../../domain/event.ts";
import { type AfterFork, filesAtFork, type WaveAt } from "../../domain/workspace/at-fork.ts";
import { isUnkept } from "../../domain/workspace/own-place.ts";
import type { EventLog } from "../../ports/event-log.ts";
import { type FoundSnapshot, newestSnapshot, snapshotIn } from "./newest.ts";

export interface SnapshotAtFork {
  readonly snapshot: FoundSnapshot;
  /** How its files may differ from what they were at the fork, for people; null where they do not. */
  readonly note: string | null;
}

const PAGE = 100;
const MOST_PAGES = 50;
const CALLS = ["agent.tool.batch", "agent.tool.start", "agent.tool.result", "agent.tool.outcome"];

/** The files as they were when this was the last event; undefined where none were kept. */
export async function snapshotAtFork(
  log: EventLog,
  session: StreamId,
  fork: number,
): Promise<SnapshotAtFork | undefined> {
  const before = await newestSnapshot(log, session, fork);
  if (before === undefined) return undefined;
  const wave = await waveAt(log, session, before.seq, fork);
  const { comes, snapshot = before } = await after(log, session, fork);
  const { take, note } = filesAtFork(fork, wave, comes);
  if (take === "after") return { snapshot, note };
  return { snapshot: before, note: note ?? (await unkept(log, session, before.seq, fork)) };
}

/** The last wave that began after the snapshot; undefined where none did. */
async function waveAt(
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
  for await (const event of backwards(log, session, fork)) {
    if (seq === undefined) {
      if (event.seq <= since) return undefined;
      if (is(event, "agent.tool.result") || is(event, "agent.tool.outcome"))
        ended.add(event.data.tool_call_id);
      if (!is(event, "agent.tool.batch")) continue;
      seq = event.seq;
      calls = event.data.tool_call_ids;
      for (const id of calls) unseen.add(id);
    } else if (is(event, "agent.tool.start") && unseen.delete(event.data.tool_call_id)) {
      const { access, delegates } = event.data;
      writes ||= access !== "read" || delegates === true;
    }
    if (seq !== undefined && unseen.size === 0) break;
  }
  if (seq === undefined) return undefined;
  const done = calls.filter((id) => ended.has(id)).length;
  return { seq, writes: writes || unseen.size > 0, ended: done, running: calls.length - done };
}

async function* backwards(log: EventLog, session: StreamId, fork: number): AsyncGenerator<AnyEvent> {
  let before: number | null = fork + 1;
  for (let page = 0; page < MOST_PAGES && before !== null; page++) {
    const read = await log.read(session, { before, types: CALLS, limit: PAGE, history: "full" });
    yield* read.events;
    before = read.next;
  }
}

/** What is said first after the fork of the files, or of the end of what could change them. */
async function after(
  log: EventLog,
  session: StreamId,
  fork: number,
): Promise<{ readonly comes: AfterFork; readonly snapshot?: FoundSnapshot }> {
  const types = ["agent.tool.batch", "runtime.artifact.created", "runtime.turn.ended"];
  let from: number | null = fork;
  for (let page = 0; page < MOST_PAGES && from !== null; page++) {
    const read = await log.read(session, { after: from, types, limit: PAGE, history: "full" });
    for (const event of read.events) {
      const snapshot = snapshotIn(event);
      if (snapshot !== undefined) return { comes: "snapshot", snapshot };
      if (is(event, "agent.tool.batch")) return { comes: "over" };
      if (is(event, "runtime.turn.ended") && event.data.status !== "parked") return { comes: "over" };
    }
    from = read.next;
  }
  return { comes: "nothing" };
}

/** Whether it was said that they could not be kept. */
async function unkept(log: EventLog, session: StreamId, since: number, fork: number): Promise<string | null> {
  const types = ["runtime.sandbox.notice"];
  const { events } = await log.read(session, { after: since, types, limit: PAGE, history: "full" });
  return events.some((event) => event.seq <= fork && isUnkept(event))
    ? "The files could not be kept since: what was changed later may be missing."
    : null;
}
