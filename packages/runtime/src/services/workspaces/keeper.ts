import type { SessionId } from "@fairlead/contract";
import { snapshotArtifact } from "../../domain/workspace/artifacts.ts";
import { unkeptNotice, workspaceIdOf } from "../../domain/workspace/own-place.ts";
import type { SnapshotRef, Workspace, Workspaces } from "../../ports/workspaces.ts";
import { type Drive, envelopeOf } from "../loop/context.ts";
import { newestSnapshot } from "./newest.ts";

/** Keeps the files that a driven session works on, and says so in its log where they are other than it last said. */
export interface Keeper {
  keep(drive: Drive, place: Workspace): Promise<void>;
}

export function createKeeper(workspaces: Workspaces, session: SessionId): Keeper {
  const workspace_id = workspaceIdOf(session);
  /** What the log has as the newest; undefined before it was looked at. */
  let said: string | undefined;

  async function take(drive: Drive, place: Workspace): Promise<(SnapshotRef & { base: string }) | undefined> {
    if (place.session_id === session) {
      const { ref, base, changed } = await workspaces.snapshot(place.id);
      return changed ? { workspace_id, ref, base } : undefined;
    }
    const { ref, base } = await workspaces.keep({
      id: workspace_id,
      session_id: session,
      inside: place.id,
    });
    said ??= await lastSaid(drive);
    if (ref === said) return undefined;
    said = ref;
    return { workspace_id, ref, base };
  }

  async function lastSaid({ log }: Drive): Promise<string> {
    const found = await newestSnapshot(log, session, Number.MAX_SAFE_INTEGER - 1);
    return found?.workspace_id === workspace_id ? found.ref : "";
  }

  return {
    async keep(drive, place) {
      const envelope = envelopeOf(drive);
      try {
        const taken = await take(drive, place);
        if (taken !== undefined)
          drive.journal.emit([{ ...envelope, ...snapshotArtifact(taken, taken.base) }]);
      } catch (error) {
        drive.report(error);
        // The work goes on; a branch from here would get older files, and is told so by this.
        const why = "The files of the task workspace could not be kept here.";
        drive.journal.emit([{ ...envelope, ...unkeptNotice(place, why) }]);
      }
    },
  };
}
