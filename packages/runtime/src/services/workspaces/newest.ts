import { type AnyEvent, SnapshotArtifact, type StreamId } from "@fairlead/contract";
import { is } from "../../domain/event.ts";
import { snapshotId } from "../../domain/workspace/artifacts.ts";
import { workspaceIdOf } from "../../domain/workspace/own-place.ts";
import type { EventLog } from "../../ports/event-log.ts";

export interface FoundSnapshot extends SnapshotArtifact {
  /** The place in the log that has these files. */
  readonly seq: number;
}

const PAGE = 100;
const MOST_PAGES = 50;

/** The newest snapshot at or before this place. */
export async function newestSnapshot(
  log: EventLog,
  session: StreamId,
  upTo: number,
): Promise<FoundSnapshot | undefined> {
  let before: number | null = upTo + 1;
  for (let page = 0; page < MOST_PAGES && before !== null; page++) {
    const { events, next } = await log.read(session, {
      before,
      types: ["runtime.artifact.created"],
      limit: PAGE,
      history: "full",
    });
    for (const event of events) {
      const found = snapshotIn(event);
      if (found !== undefined) return found;
    }
    before = next;
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
