import { FairleadError, type NewEvent, type SessionId } from "@fairlead/contract";
import { snapshotArtifact } from "../../domain/workspace/artifacts.ts";
import { isTooLarge, unkeptNotice, unkeptProject, workspaceIdOf } from "../../domain/workspace/own-place.ts";
import type { SnapshotRef, Workspace, Workspaces } from "../../ports/workspaces.ts";
import { type Drive, envelopeOf } from "../loop/context.ts";
import { newestSnapshot } from "./newest.ts";
import { reading } from "./reading.ts";

/** What a session works on: a workspace, its own or another's, or the project itself. */
export type WorkedOn = Workspace | { readonly project: string };

/** Keeps the files that a driven session works on, and says so in its log where they are other than it last said. */
export interface Keeper {
  keep(drive: Drive, place: WorkedOn): Promise<void>;
}

const TOO_LARGE =
  "The project is too large for its files to be kept: branches of this session get the files as they are now.";

export function createKeeper(workspaces: Workspaces, session: SessionId): Keeper {
  const workspace_id = workspaceIdOf(session);
  /** What the log has as the newest; undefined before it was looked at. */
  let said: string | undefined;
  let tooLarge: boolean | undefined;

  async function take(drive: Drive, place: WorkedOn): Promise<(SnapshotRef & { base: string }) | undefined> {
    if ("id" in place && place.session_id === session) {
      const { ref, base, changed } = await workspaces.snapshot(place.id);
      return changed ? { workspace_id, ref, base } : undefined;
    }
    const where =
      "id" in place ? { inside: place.id, source: place.source } : { inside: null, source: place.project };
    const { ref, base } = await workspaces.keep({ id: workspace_id, session_id: session, ...where });
    said ??= await lastSaid(drive);
    if (ref === said) return undefined;
    said = ref;
    return { workspace_id, ref, base };
  }

  async function lastSaid({ log }: Drive): Promise<string> {
    const found = await newestSnapshot(log, session, Number.MAX_SAFE_INTEGER - 1);
    return found?.workspace_id === workspace_id ? found.ref : "";
  }

  /** The work goes on; a branch from here would get other files, and is told so by this. */
  function unkept(drive: Drive, place: WorkedOn, error: unknown): NewEvent {
    if ("id" in place) return unkeptNotice(place, "The files of the task workspace could not be kept here.");
    tooLarge = error instanceof FairleadError && error.code === "workspace_too_large";
    const reason = tooLarge ? TOO_LARGE : "The files of the project could not be kept here.";
    return unkeptProject(drive.journal.state.settings, { reason, tooLarge });
  }

  return {
    async keep(drive, place) {
      if (!("id" in place) && (tooLarge ??= await saidTooLarge(drive))) return;
      const envelope = envelopeOf(drive);
      try {
        const taken = await take(drive, place);
        if (taken !== undefined)
          drive.journal.emit([{ ...envelope, ...snapshotArtifact(taken, taken.base) }]);
      } catch (error) {
        const notice = unkept(drive, place, error);
        if (tooLarge !== true) drive.report(error);
        drive.journal.emit([{ ...envelope, ...notice }]);
      }
    },
  };
}

async function saidTooLarge({ log, session }: Drive): Promise<boolean> {
  const types = ["runtime.sandbox.notice"];
  for await (const event of reading(log, session, { before: Number.MAX_SAFE_INTEGER, types }))
    if (isTooLarge(event)) return true;
  return false;
}
