import type { AnyEvent, EventId, TurnEnd, TurnStatus } from "@fairlead/contract";
import { is } from "./event.ts";

/** What has become of the session's latest turn. */
export type TurnState = "none" | "running" | TurnStatus;
export type TurnCommand = "start" | "park" | "resume" | "complete" | "fail" | "cancel";
export type TurnOutcome = "begin" | "wait" | "go_on" | "end" | "turn_active" | "turn_not_found";

const CLOSED: Record<TurnCommand, TurnOutcome> = {
  start: "begin",
  park: "turn_not_found",
  resume: "turn_not_found",
  complete: "turn_not_found",
  fail: "turn_not_found",
  cancel: "turn_not_found",
};
const OPEN: Record<TurnCommand, TurnOutcome> = {
  start: "turn_active",
  park: "wait",
  // Also of one that runs: its process may be gone.
  resume: "go_on",
  complete: "end",
  fail: "end",
  cancel: "end",
};

/** One turn at a time, and each ends once. */
export const TURN_TABLE: Record<TurnState, Record<TurnCommand, TurnOutcome>> = {
  none: CLOSED,
  running: OPEN,
  parked: OPEN,
  completed: CLOSED,
  failed: CLOSED,
  cancelled: CLOSED,
};

/** The session's latest turn, open or not. */
export interface TurnSlot {
  readonly state: TurnState;
  readonly turn_id: string | null;
  /** The id of its `runtime.request.started`: the cause of all that follows. */
  readonly started: EventId | null;
}

export const NO_TURN: TurnSlot = { state: "none", turn_id: null, started: null };

export function isOpen(slot: TurnSlot): boolean {
  return TURN_TABLE[slot.state].start === "turn_active";
}

/** How it ended; null while it is open, and where there was none. */
export function endOf({ state }: TurnSlot): TurnEnd | null {
  return state === "none" || state === "running" || state === "parked" ? null : state;
}

export function evolveTurn(slot: TurnSlot, event: AnyEvent): TurnSlot {
  if (is(event, "runtime.request.started")) {
    return { state: "running", turn_id: event.data.turn_id, started: event.id };
  }
  // What happens to a turn that is not the latest one changes nothing.
  if (is(event, "runtime.turn.resumed") && event.data.turn_id === slot.turn_id && isOpen(slot)) {
    return { ...slot, state: "running" };
  }
  if (is(event, "runtime.turn.ended") && event.data.turn_id === slot.turn_id) {
    return { ...slot, state: event.data.status };
  }
  return slot;
}
