import type { SessionId } from "@fairlead/contract";
import type { StoredSession } from "../../domain/session.ts";
import type { Clock } from "../../ports/clock.ts";
import type { EventLog } from "../../ports/event-log.ts";
import type { Ids } from "../../ports/ids.ts";
import type { Workspace, Workspaces } from "../../ports/workspaces.ts";

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
const LEASE_MS = 60_000;

type Verdict = "keep" | "remove" | "forget";

/** What is to become of a workspace, from what the log says of its session. */
function verdictOn(
  workspace: Workspace,
  row: Pick<StoredSession, "status" | "updated_at"> | undefined,
  now: number,
  keepMs: number,
): Verdict {
  if (row === undefined) return now - Date.parse(workspace.created_at) < YOUNG_MS ? "keep" : "forget";
  if (workspace.state === "removed" || !OVER.has(row.status)) return "keep";
  return now - Date.parse(row.updated_at) < keepMs ? "keep" : "remove";
}

/**
 * Takes away the files of sessions that ended long ago, and all that is left of sessions that are gone. Never while
 * somebody drives the session. Snapshots stay for as long as the session does. Returns how many it took away.
 */
export async function cleanUp(deps: CleanUpDeps): Promise<number> {
  const { log, ids, clock, workspaces, keepMs, report } = deps;
  let cleaned = 0;
  for (const workspace of await workspaces.list()) {
    const session = workspace.session_id as SessionId;
    try {
      const row = () => log.row<StoredSession>("session", session);
      const verdict = verdictOn(workspace, await row(), clock.now(), keepMs);
      if (verdict === "keep") continue;
      if (verdict === "forget") {
        if (await workspaces.forget(workspace.id)) cleaned += 1;
        continue;
      }
      const lease = await log.acquireLease(session, ids.next("attempt"), LEASE_MS);
      if (lease === undefined) continue;
      try {
        // Somebody may have gone on with it before we held it.
        if (verdictOn(workspace, await row(), clock.now(), keepMs) !== "remove") continue;
        await workspaces.remove(workspace.id);
        cleaned += 1;
      } finally {
        await log.releaseLease(lease);
      }
    } catch (error) {
      // One that cannot be cleaned up must not keep the others.
      report(error);
    }
  }
  return cleaned;
}
