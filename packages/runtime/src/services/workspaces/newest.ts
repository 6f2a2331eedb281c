import { type AnyEvent, SnapshotArtifact, type StreamId } from "@fairlead/contract";
import { is } from "../../domain/event.ts";
import { snapshotId } from "../../domain/workspace/artifacts.ts";
import { besideIdOf, isUnkept, workspaceIdOf } from "../../domain/workspace/own-place.ts";
import type { EventLog } from "../../ports/event-log.ts";
import { reading } from "./reading.ts";

export interface FoundSnapshot extends SnapshotArtifact {
  /** The place in the log that has these files. */
  readonly seq: number;
}

const TYPES = ["runtime.artifact.created"];
const SAID = [...TYPES, "runtime.sandbox.notice"];
const END = Number.MAX_SAFE_INTEGER;

/** The newest snapshot at or before this place. */
export function newestSnapshot(
  log: EventLog,
  session: StreamId,
  upTo: number,
): Promise<FoundSnapshot | undefined> {
  return firstIn(reading(log, session, { before: upTo + 1, types: TYPES }));
}

/** The first snapshot after this place. */
export function nextSnapshot(
  log: EventLog,
  session: StreamId,
  after: number,
): Promise<FoundSnapshot | undefined> {
  return firstIn(reading(log, session, { after, types: TYPES }));
}

async function firstIn(events: AsyncIterable<AnyEvent>): Promise<FoundSnapshot | undefined> {
  for await (const event of events) {
    const found = snapshotIn(event);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The snapshot that the event names; undefined where it names none. */
export function snapshotIn(event: AnyEvent): FoundSnapshot | undefined {
  if (!is(event, "runtime.artifact.created")) return undefined;
  const read = SnapshotArtifact.safeParse(event.data.artifact);
  // Tools record artifacts too, of kinds of their choice: one that speaks of another session's workspace is theirs.
  return read.success && isOwn(read.data, event.stream) ? { ...read.data, seq: event.seq } : undefined;
}

/** Whoever drives the session and whoever calls tools in it keep files apart from each other. */
function isOwn({ id, workspace_id }: SnapshotArtifact, session: string): boolean {
  const own = [workspaceIdOf(session), besideIdOf(session)];
  return own.includes(workspace_id) && id === snapshotId(workspace_id);
}

/** Whether the session itself has not said this snapshot last. */
export async function isNews(log: EventLog, session: StreamId, ref: string): Promise<boolean> {
  const newest = await newestSnapshot(log, session, END - 1);
  return newest?.ref !== ref || !isOwn(newest, session);
}

/** Whether the last thing said of its files is that they were not kept. */
export async function saidUnkept(log: EventLog, session: StreamId): Promise<boolean> {
  for await (const event of reading(log, session, { before: END, types: SAID })) {
    if (isUnkept(event)) return true;
    if (snapshotIn(event) !== undefined) return false;
  }
  return false;
}
