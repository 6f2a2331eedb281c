import { type AnyEvent, type HealthSnapshot, isId, type SessionId } from "@fairlead/contract";
import type { Projection } from "../../ports/projection.ts";
import { is } from "../event.ts";
import { healthMarks } from "../session-marks.ts";
import { foldHealth, HEALTH_TYPES, mattersToHealth } from "./fold.ts";
import { runsOver } from "./tree.ts";
import { BEST_SCORE, scoreOf, scoreParts } from "./score.ts";
import { changesAt, healthAt, isPlain, NO_NEWS, snapshotKey } from "./snapshot.ts";
import { type HealthState, newHealth } from "./state.ts";

/** How a session fares, carried along: in its row, and by whoever drives it. */
export interface CarriedHealth {
  readonly state: HealthState;
  /** What tells the last snapshot in the log from others. */
  said: string;
  /** The last event that was folded. */
  seq: number;
}

export interface HealthRow extends CarriedHealth {
  readonly session_id: SessionId;
  /** When somebody should look: at once when something is to be said, or when time alone will change it. 0: never. */
  readonly due: number;
  /** As of the last event. Rows from before this was kept lack it. */
  readonly score?: number;
}

export function newCarriedHealth(): CarriedHealth {
  return { state: newHealth(), said: NO_NEWS, seq: 0 };
}

export const SNAPSHOT = "runtime.health.snapshot";

/** Takes an event in. Whether it can have changed anything. */
export function absorbHealth(health: CarriedHealth, event: AnyEvent, at: number): boolean {
  if (event.seq !== 0 && event.seq <= health.seq) return false;
  health.seq = Math.max(health.seq, event.seq);
  if (event.type === SNAPSHOT) {
    health.said = snapshotKey(event.data as HealthSnapshot);
    return false;
  }
  return foldHealth(health.state, event, at);
}

/** The snapshot, where it says something that the last one in the log does not. */
export function freshSnapshot(
  session_id: string,
  { state, said }: CarriedHealth,
  now: number,
): HealthSnapshot | undefined {
  if (said === NO_NEWS && isPlain(state, now)) return undefined;
  const snapshot = healthAt(session_id, state, now);
  return snapshotKey(snapshot) === said ? undefined : snapshot;
}

/** States that were copied here: they lack nothing that this program knows of. */
const whole = new WeakSet<HealthState>();

/** What the fold changes in place is copied; lists are made anew by it. What an older row does not say is as in a new one. */
export function copyOf({ state, said, seq }: CarriedHealth): CarriedHealth {
  const full = whole.has(state) ? state : { ...newHealth(), ...state };
  const copy = { ...full, turn: { ...full.turn }, allowed: { ...full.allowed } };
  whole.add(copy);
  return { state: copy, said, seq };
}

export const healthProjection: Projection<HealthRow> = {
  kind: "health",
  types: [...HEALTH_TYPES, SNAPSHOT],
  key: (event) =>
    isId("session", event.stream) && (is(event, SNAPSHOT) || mattersToHealth(event)) ? event.stream : null,
  evolve(row, event, stream) {
    const session_id = stream.id as SessionId;
    const health = row === undefined ? newCarriedHealth() : copyOf(row);
    absorbHealth(health, event, Date.parse(event.at));
    return { session_id, ...health, due: row?.due ?? 0 };
  },
  derive(health, event) {
    const { session_id } = health;
    const now = Date.parse(event.at);
    const waits = freshSnapshot(session_id, health, now) === undefined && !runsOver(health.state, now);
    const due = waits ? changesAt(health.state, now) : now;
    const score = isPlain(health.state, now)
      ? BEST_SCORE
      : scoreOf(scoreParts(health.state, health.state.policy, now));
    return { ...health, due: due ?? 0, score };
  },
  state: ({ due }) => (due > 0 ? "due" : "none"),
  at: ({ due }) => due,
  marks: ({ state, score = BEST_SCORE }) => healthMarks(state.cost_usd, score),
};
