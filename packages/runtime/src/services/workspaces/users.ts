import type { StoredSession } from "../../domain/session.ts";
import type { EventLog, Lease } from "../../ports/event-log.ts";
import type { Ids } from "../../ports/ids.ts";
import type { Workspace } from "../../ports/workspaces.ts";
import { everyRow } from "../rows.ts";

const LEASE_MS = 60_000;

/** Every session that works there: the one that it was made for, sub-agents, and whoever else names it. */
export async function usersOf(
  log: EventLog,
  { id, session_id }: Pick<Workspace, "id" | "session_id">,
): Promise<readonly StoredSession[]> {
  const users: StoredSession[] = [];
  const where = [{ field: ["state", "workspace_id"], in: [id] }];
  for await (const row of everyRow<StoredSession>(log, "session", { where })) users.push(row);
  // It may not have said yet where it works.
  const owner = await log.row<StoredSession>("session", session_id);
  const named = owner === undefined || users.some((row) => row.session_id === session_id);
  return named ? users : [...users, owner];
}

/** Whether a person runs a tool in one of them: that holds no lease. */
export async function isWorkedIn(log: EventLog, users: readonly StoredSession[]): Promise<boolean> {
  for (const { session_id: stream } of users)
    if ((await log.count("direct", { state: ["running"], stream, scope: { owner: "any" } })) > 0) return true;
  return false;
}

/** Acts while nobody else can drive any of them; false when somebody does. */
export async function underLeases(
  { log, ids }: { readonly log: EventLog; readonly ids: Ids },
  users: readonly StoredSession[],
  act: () => Promise<boolean>,
): Promise<boolean> {
  const leases: Lease[] = [];
  try {
    for (const { session_id } of users) {
      const lease = await log.acquireLease(session_id, ids.next("attempt"), LEASE_MS);
      if (lease === undefined) return false;
      leases.push(lease);
    }
    return await act();
  } finally {
    for (const lease of leases) await log.releaseLease(lease);
  }
}
