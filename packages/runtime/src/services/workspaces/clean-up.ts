import type { StoredSession } from "../../domain/session.ts";
import type { Clock } from "../../ports/clock.ts";
import type { EventLog } from "../../ports/event-log.ts";
import type { Ids } from "../../ports/ids.ts";
import type { Workspace, Workspaces } from "../../ports/workspaces.ts";
import { everyRow } from "../rows.ts";
import { isWorkedIn, underLeases, usersOf } from "./users.ts";

export interface CleanUpDeps {
  readonly log: EventLog;
  readonly ids: Ids;
  readonly clock: Clock;
  readonly workspaces: Workspaces;
  /** How long the files of a session that has ended are kept. */
  readonly keepMs: number;
  /** How long what was kept of the project is had, of a session that is idle. */
  readonly keptMs: number;
  readonly report: (error: unknown) => void;
}

/** States of a session that nothing more comes of by itself. One that needs review is still looked at. */
const OVER: ReadonlySet<string> = new Set(["completed", "failed", "cancelled"]);
/** A branch may be about to be written that refers to it. */
const YOUNG_MS = 3_600_000;

type Verdict = "keep" | "remove" | "forget";
type Row = Pick<StoredSession, "session_id" | "kind" | "status" | "updated_at">;

/** A chat has no end, and a sub-agent that is done is idle: somebody may speak to either again. */
function isOver({ kind, status }: Row): boolean {
  return OVER.has(status) || (kind !== "background" && status === "idle");
}

/** What keeps a project was made by its session, which was there before. */
function isYoung({ keeps, created_at }: Workspace, now: number): boolean {
  return keeps === undefined && now - Date.parse(created_at) < YOUNG_MS;
}

/** What is to become of a workspace, from what the log says of its session and of all that work in it. */
function verdictOn(
  workspace: Workspace,
  users: readonly Row[],
  now: number,
  { keepMs, keptMs }: Pick<CleanUpDeps, "keepMs" | "keptMs">,
): Verdict {
  if (!users.every(isOver)) return "keep";
  if (!users.some(({ session_id }) => session_id === workspace.session_id))
    return users.length > 0 || isYoung(workspace, now) ? "keep" : "forget";
  const idleFor = (ms: number) => users.every(({ updated_at }) => now - Date.parse(updated_at) >= ms);
  if (workspace.keeps === "project") return idleFor(keptMs) ? "forget" : "keep";
  if (workspace.state === "removed") return "keep";
  return idleFor(keepMs) ? "remove" : "keep";
}

/**
 * Takes away the files of sessions that ended or were idle long ago, what was kept of projects for such, and all that is left of sessions that are gone. Never while
 * a session that works there, also a sub-agent, is under way or driven by somebody. Snapshots stay for as long as the
 * session does. Returns how many it took away.
 */
export async function cleanUp(deps: CleanUpDeps): Promise<number> {
  const { workspaces, report } = deps;
  let cleaned = await workspaces.tidy();
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

/** Whether a session with this one's history was used since: whoever branches it from a place in there needs what was kept here. */
async function goesOnFrom(log: EventLog, { session_id }: Row, since: number): Promise<boolean> {
  const where = [{ field: ["parent_session_id"], in: [session_id] }];
  for await (const row of everyRow<StoredSession>(log, "session", { where }))
    if (Date.parse(row.updated_at) > since || (await goesOnFrom(log, row, since))) return true;
  return false;
}

async function cleanUpOne(deps: CleanUpDeps, workspace: Workspace): Promise<boolean> {
  const { log, clock, workspaces } = deps;
  const owner = await log.row<StoredSession>("session", workspace.session_id);
  const verdictFor = (users: readonly Row[]) => verdictOn(workspace, users, clock.now(), deps);
  // Most are kept for their own session's sake: the others need not be looked for.
  if (verdictFor(owner === undefined ? [] : [owner]) === "keep") return false;
  const users = await usersOf(log, workspace);
  const verdict = verdictFor(users);
  if (verdict === "keep") return false;
  const since = clock.now() - deps.keptMs;
  if (workspace.keeps === "project" && owner !== undefined && (await goesOnFrom(log, owner, since)))
    return false;
  if (users.length === 0) return workspaces.forget(workspace.id);
  return underLeases(deps, users, async () => {
    // Somebody may have gone on with one before we held it.
    const now = await usersOf(log, workspace);
    if (verdictFor(now) !== verdict || (await isWorkedIn(log, now))) return false;
    if (verdict === "forget") return workspaces.forget(workspace.id);
    await workspaces.remove(workspace.id);
    return true;
  });
}
