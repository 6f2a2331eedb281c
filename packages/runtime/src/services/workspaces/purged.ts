import type { SessionId } from "@fairlead/contract";
import type { EventLog } from "../../ports/event-log.ts";
import type { Workspaces } from "../../ports/workspaces.ts";
import { usersOf } from "./users.ts";

/**
 * Takes away at once what was kept of sessions that are purged, and their own places where nobody else works in them. Never
 * rejects: what cannot be taken away now goes with the next clean-up, as does what another machine has.
 */
export async function forgetPurged(
  { log, workspaces, report }: PurgedDeps,
  sessions: readonly SessionId[],
): Promise<void> {
  try {
    for (const workspace of (await workspaces?.list()) ?? []) {
      const isTheirs = sessions.some((session) => session === workspace.session_id);
      if (isTheirs && (await usersOf(log, workspace)).length === 0) await workspaces?.forget(workspace.id);
    }
  } catch (error) {
    report(error);
  }
}

export interface PurgedDeps {
  readonly log: EventLog;
  readonly workspaces?: Workspaces;
  /** Must not throw. */
  readonly report: (error: unknown) => void;
}
