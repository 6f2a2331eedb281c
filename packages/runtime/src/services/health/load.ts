import type { SessionId } from "@fairlead/contract";
import { type CarriedHealth, copyOf, type HealthRow, newCarriedHealth } from "../../domain/health/row.ts";
import type { EventLog } from "../../ports/event-log.ts";

/** How the session fares, as its row has it: never folded from the start. */
export async function loadHealth(log: Pick<EventLog, "row">, session: SessionId): Promise<CarriedHealth> {
  const row = await log.row<HealthRow>("health", session);
  return row === undefined ? newCarriedHealth() : copyOf(row);
}

/** The same of several, in one look however many they are. One without a row has done nothing yet, and is left out. */
export async function loadAllHealth(
  log: Pick<EventLog, "rows">,
  sessions: readonly SessionId[],
): Promise<readonly CarriedHealth[]> {
  if (sessions.length === 0) return [];
  const query = { ids: sessions, scope: { owner: "any" as const }, limit: sessions.length };
  return (await log.rows<HealthRow>("health", query)).rows.map(copyOf);
}
