import { FairleadError, type NewEvent, type SessionId } from "@fairlead/contract";
import { snapshotArtifact } from "../../domain/workspace/artifacts.ts";
import { unkeptNotice, unkeptProject, workspaceIdOf } from "../../domain/workspace/own-place.ts";
import type { SnapshotRef, Unkept, Workspace, Workspaces } from "../../ports/workspaces.ts";
import { type Drive, envelopeOf } from "../loop/context.ts";
import { isNews, saidUnkept } from "./newest.ts";

/** What a session works on: a workspace, its own or another's, or the project itself. */
export type WorkedOn = Workspace | { readonly project: string };

/** Keeps the files that a driven session works on, and says so in its log where they are other than it last said. */
export interface Keeper {
  keep(drive: Drive, place: WorkedOn): Promise<void>;
}

type Kept = SnapshotRef & { readonly base: string };

export function createKeeper(workspaces: Workspaces, session: SessionId): Keeper {
  const workspace_id = workspaceIdOf(session);
  const order = { id: workspace_id, session_id: session };
  /** What was said last, perhaps not yet in the log. */
  let said: string | undefined;

  function look(place: WorkedOn): Promise<Kept | Unkept | undefined> {
    if (!("id" in place)) return workspaces.keepProject({ ...order, source: place.project });
    if (place.session_id === session) return workspaces.snapshot(place.id);
    return workspaces.keep({ ...order, inside: place.id });
  }

  async function tell({ log, journal }: Drive, kept: Kept | Unkept): Promise<NewEvent | undefined> {
    if ("unkept" in kept)
      return (await saidUnkept(log, session)) ? undefined : unkeptProject(journal.state.settings, kept);
    if (kept.ref === said || !(await isNews(log, session, kept.ref))) return undefined;
    said = kept.ref;
    return snapshotArtifact({ workspace_id, ref: kept.ref }, kept.base);
  }

  return {
    async keep(drive, place) {
      try {
        const kept = await look(place);
        const event = kept === undefined ? undefined : await tell(drive, kept);
        if (event !== undefined) drive.journal.emit([{ ...envelopeOf(drive), ...event }]);
      } catch (error) {
        drive.report(error);
        if (!("id" in place) && (await saidUnkept(drive.log, session))) return;
        // The work goes on; a branch from here would get other files, and is told so by this.
        drive.journal.emit([{ ...envelopeOf(drive), ...failed(drive, place, error) }]);
      }
    },
  };
}

function failed({ journal }: Drive, place: WorkedOn, error: unknown): NewEvent {
  if ("id" in place) return unkeptNotice(place, "The files of the task workspace could not be kept here.");
  return unkeptProject(journal.state.settings, { why: whyOf(error) });
}

/** For people: what is no failure of ours says itself what is the matter. */
export function whyOf(error: unknown): string {
  return error instanceof FairleadError ? error.message : "Something went wrong.";
}
