import type { SessionId } from "@fairlead/contract";
import { type CarriedHealth, copyOf, type HealthRow, newCarriedHealth } from "../../domain/health/row.ts";
import type { EventLog } from "../../ports/event-log.ts";

/** How the session fares, as its row has it: never folded from the start. */
export async function loadHealth(log: Pick<EventLog, "row">, session: SessionId): Promise<CarriedHealth> {
  const row = await log.row<HealthRow>("health", session);
  return row === undefined ? newCarriedHealth() : copyOf(row);
}
