import type { RouteReply } from "@fairlead/contract";
import type { Actor } from "../../domain/actor.ts";
import { demand } from "../refusal.ts";
import type { Sessions } from "../types.ts";
import type { Roots } from "./roots.ts";

/** Where sessions can be started, for who starts one. */
export interface Directories {
  list(actor: Actor): Promise<RouteReply<"listWorkspaces">>;
}

/** Sessions looked at for the directories that they were started in. */
const LOOKED_AT = 200;
const MOST = 20;

export function createDirectories(deps: {
  readonly roots: Roots;
  readonly sessions: Pick<Sessions, "list">;
}): Directories {
  const { roots, sessions } = deps;
  return {
    async list(actor) {
      demand(actor, "session.create");
      const { rows } = await sessions.list(actor, { limit: LOOKED_AT });
      const used = new Set(rows.flatMap(({ state }) => state?.workspace_source ?? []));
      const there = await Promise.all(
        [...used].map((workspace_source) => roots.of({ workspace_source }).catch(() => [])),
      );
      return { roots: [...roots.all], recent: there.flat().slice(0, MOST) };
    },
  };
}
