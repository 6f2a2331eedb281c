import { FairleadError, type NewEvent, type SessionId, type SessionState } from "@fairlead/contract";
import { snapshotArtifact, workspaceArtifact } from "../../domain/workspace/artifacts.ts";
import { placeNotice, restoredWhy, whyUnkept, workspaceIdOf } from "../../domain/workspace/own-place.ts";
import type { EventLog } from "../../ports/event-log.ts";
import type { Workspaces } from "../../ports/workspaces.ts";
import { snapshotAtFork } from "./at-fork.ts";
import { whyOf } from "./keeper.ts";
import { reading } from "./reading.ts";
import { isHead, wroteAfter } from "./wave.ts";

/** What a branch says of its files, and what it begins with. */
export interface BranchPlace {
  readonly state: Pick<SessionState, "workspace" | "workspace_id" | "workspace_host">;
  readonly events: readonly NewEvent[];
  /** For the checkpoint that it begins with. */
  readonly details: Readonly<Record<string, unknown>>;
}

export interface BranchPlaceDeps {
  readonly log: EventLog;
  readonly workspaces: Workspaces | undefined;
  readonly report: (error: unknown) => void;
}

const NONE = "The session had no workspace of its own there: the files are the project's, as they are now.";
const HEAD = "It goes on where the session stands: in the project itself, as it is now.";
const SAME = "Nothing that is kept was changed since: it goes on in the project itself.";
const UNKEPT = "The files could not be kept there, so they are the project's, as they are now.";

/**
 * The workspace as it was at the fork, for a branch that is about to be made. Nothing of it is in the log yet: one that
 * nobody refers to in the end is cleaned up. Where the files are not kept the branch says so, and is made all the same.
 */
export async function placeForBranch(
  { log, workspaces, report }: BranchPlaceDeps,
  parent: SessionId,
  seq: number,
  branch: { readonly session_id: SessionId; readonly kind: string },
): Promise<BranchPlace> {
  const { session_id, kind } = branch;
  const at = await snapshotAtFork(log, parent, seq);
  if (at === undefined) return without([NONE, await whyNone(log, parent)].flat().join(" "));
  const { snapshot: found, note, unkept } = at;
  const { workspace_id, ref } = found;
  if (unkept !== undefined) return without(`${UNKEPT} ${unkept}`);
  const origin = await workspaces?.find(workspace_id);
  if (origin?.keeps === "project") {
    if (await isHead(log, parent, seq)) return without(HEAD);
    // People and other sessions write in it too, and this one what its log does not tell.
    const same = !(await wroteAfter(log, parent, seq, found)) && (await workspaces?.isAsKept(found));
    if (same === true) return without(SAME);
  }
  try {
    if (workspaces === undefined) throw new FairleadError("workspace_unavailable");
    const id = workspaceIdOf(session_id);
    const made = await workspaces.restore({ id, session_id, from: { workspace_id, ref } });
    return {
      state: { workspace_id: made.id, workspace_host: made.host, workspace: made.path },
      events: [
        placeNotice(made, [restoredWhy(made, found.seq), note ?? []].flat().join(" "), kind),
        workspaceArtifact(made),
        snapshotArtifact({ workspace_id: made.id, ref: made.last }, made.base),
      ],
      details: {
        kind: "restored",
        workspace_id: made.id,
        method: made.method,
        ref,
        snapshot_seq: found.seq,
        ...(note === null ? {} : { note }),
      },
    };
  } catch (error) {
    if (!(error instanceof FairleadError)) report(error);
    return without(
      `The files as they were at event ${found.seq} cannot be had, so they are the project's, as they are now. ${whyOf(error)}`,
    );
  }
}

/** Why nothing of the project was kept, where that was said. */
async function whyNone(log: EventLog, session: SessionId): Promise<string[]> {
  const types = ["runtime.sandbox.notice"];
  for await (const event of reading(log, session, { after: 0, types })) {
    const why = whyUnkept(event);
    if (why !== undefined) return [`They were not kept. ${why}`];
  }
  return [];
}

function without(note: string): BranchPlace {
  return { state: {}, events: [], details: { kind: "project", note } };
}
