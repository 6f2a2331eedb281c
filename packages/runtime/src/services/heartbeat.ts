import type { SessionRow } from "@fairlead/contract";
import type { Clock } from "../ports/clock.ts";
import type { EventLog } from "../ports/event-log.ts";

export interface HeartbeatDeps {
  readonly log: Pick<EventLog, "leases">;
  readonly clock: Clock;
  /** How long a lease of a driver lasts from when it was renewed. */
  readonly leaseMs: number;
}

/**
 * Background work that is driven, with the time at which its driver was last heard of: when it renewed its lease. That
 * is no event, so it is not in the log, and goes on during a long call. One read for all of them, none where none runs.
 */
export async function withHeartbeats(
  { log, clock, leaseMs }: HeartbeatDeps,
  rows: readonly SessionRow[],
): Promise<readonly SessionRow[]> {
  const driven = rows.filter(isDriven).map(({ session_id }) => session_id);
  if (driven.length === 0) return rows;
  const leases = await log.leases(driven);
  return rows.map((row) => {
    const until = leases.get(row.session_id);
    if (until === undefined || row.state === null) return row;
    const said = Date.parse(row.state.last_heartbeat_at ?? "") || 0;
    // Somebody else may hold it for longer, to do something else: nobody was heard of in times to come.
    const heard = Math.max(said, Math.min(until - leaseMs, clock.now()));
    return { ...row, state: { ...row.state, last_heartbeat_at: new Date(heard).toISOString() } };
  });
}

/** Chats and sub-agents have no heartbeat. */
function isDriven({ state, status }: SessionRow): boolean {
  return status === "running" && state?.last_heartbeat_at != null;
}
