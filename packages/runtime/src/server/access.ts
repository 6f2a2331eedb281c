import type { RouteDef } from "@fairlead/contract";
import { FairleadError } from "@fairlead/contract";
import type { Actor } from "../domain/actor.ts";

/** Who may call a route. `role: null` is said on purpose; a route that says nothing is closed. */
export type Access = Pick<RouteDef, "role" | "agents">;

export const CLOSED: Access = { role: "admin", agents: false };
export const PUBLIC: Access = { role: null, agents: true };

const RANK = { viewer: 0, operator: 1, admin: 2 } as const;

/** The one place where a role is held against a route. Throws `unauthorized` or `forbidden`. */
export function checkAccess(access: Access, actor: Actor | null): void {
  if (access.role === null) return;
  if (actor === null) throw new FairleadError("unauthorized");
  const may = actor.role === "agent" ? access.agents : (RANK[actor.role] ?? -1) >= RANK[access.role];
  if (may) return;
  const needs = access.agents ? [access.role, "agent"] : [access.role];
  throw new FairleadError("forbidden", { details: { role: actor.role, needs } });
}
