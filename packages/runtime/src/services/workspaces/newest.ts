import { type AnyEvent, SnapshotArtifact, type StreamId } from "@fairlead/contract";
import { is } from "../../domain/event.ts";
import { snapshotId } from "../../domain/workspace/artifacts.ts";
import { workspaceIdOf } from "../../domain/workspace/own-place.ts";
import type { EventLog } from "../../ports/event-log.ts";
import { reading } from "./reading.ts";

export interface FoundSnapshot extends SnapshotArtifact {
  /** The place in the log that has these files. */
  readonly seq: number;
}

const TYPES = ["runtime.artifact.created"];

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

function isOwn({ id, workspace_id }: SnapshotArtifact, session: string): boolean {
  return workspace_id === workspaceIdOf(session) && id === snapshotId(workspace_id);
}
