import type { StoredSession } from "../../domain/session.ts";
import type { Clock } from "../../ports/clock.ts";
import type { EventLog } from "../../ports/event-log.ts";
import type { Ids } from "../../ports/ids.ts";
import type { Workspace, Workspaces } from "../../ports/workspaces.ts";
import { isWorkedIn, underLeases, usersOf } from "./users.ts";

export interface CleanUpDeps {
  readonly log: EventLog;
  readonly ids: Ids;
  readonly clock: Clock;
  readonly workspaces: Workspaces;
  /** How long the files of a session that has ended are kept. */
  readonly keepMs: number;
  readonly report: (error: unknown) => void;
}

/** States of a session that nothing more comes of by itself. One that needs review is still looked at. */
const OVER: ReadonlySet<string> = new Set(["completed", "failed", "cancelled"]);
/** A branch may be about to be written that refers to it. */
const YOUNG_MS = 3_600_000;

type Verdict = "keep" | "remove" | "forget";
type Row = Pick<StoredSession, "session_id" | "kind" | "status" | "updated_at">;

/** A sub-agent that is done is idle: somebody may speak to it again, as to who delegated. */
function isOver({ kind, status }: Row): boolean {
  return OVER.has(status) || (kind === "subagent" && status === "idle");
}

/** What is to become of a workspace, from what the log says of its session and of all that work in it. */
function verdictOn(workspace: Workspace, users: readonly Row[], now: number, keepMs: number): Verdict {
  if (!users.every(isOver)) return "keep";
  if (!users.some(({ session_id }) => session_id === workspace.session_id))
    return users.length > 0 || now - Date.parse(workspace.created_at) < YOUNG_MS ? "keep" : "forget";
  if (workspace.state === "removed") return "keep";
  return users.some(({ updated_at }) => now - Date.parse(updated_at) < keepMs) ? "keep" : "remove";
}

/**
 * Takes away the files of sessions that ended long ago, and all that is left of sessions that are gone. Never while
 * a session that works there, also a sub-agent, is under way or driven by somebody. Snapshots stay for as long as the
 * session does. Returns how many it took away.
 */
export async function cleanUp(deps: CleanUpDeps): Promise<number> {
  const { workspaces, report } = deps;
  let cleaned = 0;
  for (const workspace of await workspaces.list()) {
    try {
      if (await cleanUpOne(deps, workspace)) cleaned += 1;
    } catch (error) {
      // One that cannot be cleaned up must not keep the others.
      report(error);
    }
  }
  return cleaned;
}

async function cleanUpOne(deps: CleanUpDeps, workspace: Workspace): Promise<boolean> {
  const { log, clock, workspaces, keepMs } = deps;
  const owner = await log.row<StoredSession>("session", workspace.session_id);
  const verdictFor = (users: readonly Row[]) => verdictOn(workspace, users, clock.now(), keepMs);
  // Most are kept for their own session's sake: the others need not be looked for.
  if (verdictFor(owner === undefined ? [] : [owner]) === "keep") return false;
  const users = await usersOf(log, workspace);
  const verdict = verdictFor(users);
  if (verdict === "forget") return workspaces.forget(workspace.id);
  if (verdict === "keep") return false;
  return underLeases(deps, users, async () => {
    // Somebody may have gone on with one before we held it.
    const now = await usersOf(log, workspace);
    if (verdictFor(now) !== "remove" || (await isWorkedIn(log, now))) return false;
    await workspaces.remove(workspace.id);
    return true;
  });
}
