import { type Role, SYSTEM_STREAM } from "@fairlead/contract";
import type { Scope, StreamSpec } from "../ports/event-log.ts";

export type { Role };

/** Whoever speaks to us, as authentication found them. */
export interface Actor {
  /** The name written into the log beside what they do. */
  readonly name: string;
  readonly role: Role;
  /** Sees and touches only this project; null means all. */
  readonly project: string | null;
  readonly token_id: string | null;
  /** When what they showed ends. Left out: not by itself. */
  readonly expires_at?: string;
}

/** The runtime itself, and whoever holds the data directory: may do everything. */
export const SYSTEM_ACTOR: Actor = { name: "fairlead", role: "admin", project: null, token_id: null };

/** What lists and feeds show this actor. An agent sees only the sessions it made. */
export function scopeOf(actor: Actor): Scope {
  const scope: { project?: string; created_by?: string; owner?: "user" } = { owner: "user" };
  if (actor.project !== null) scope.project = actor.project;
  if (actor.role === "agent") scope.created_by = actor.name;
  return scope;
}

/**
 * Whether the actor may know of this stream at all. To whoever may not, it does not exist: no answer
 * tells it from one that was never made.
 */
export function sees(actor: Actor, stream: StreamSpec & { readonly id: string }): boolean {
  // The system stream holds facts of every project, so only those who may see all of them read it.
  if (stream.id === SYSTEM_STREAM) return actor.role === "admin" && actor.project === null;
  if (actor.project !== null && stream.project !== actor.project) return false;
  return actor.role !== "agent" || (stream.owner === "user" && stream.created_by === actor.name);
}
