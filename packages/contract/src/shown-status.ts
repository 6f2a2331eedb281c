import type { SessionStatus } from "./events/session.ts";
import type { TurnStatus } from "./events/request.ts";

/** How a turn that is over has ended. */
export type TurnEnd = Exclude<TurnStatus, "parked">;

/**
 * What a session is shown as, and found by. Seed 000 calls a chat `idle` whenever no turn is open, also after one that
 * failed: what rests is shown as its last turn ended. One that was stopped, or never began, is idle.
 */
export function shownStatus(status: SessionStatus, lastTurn: TurnEnd | null | undefined): SessionStatus {
  if (status !== "idle") return status;
  return lastTurn === "failed" || lastTurn === "completed" ? lastTurn : "idle";
}
