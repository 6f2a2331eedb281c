import type { SessionState } from "@fairlead/contract";
import { needsPlace } from "../../domain/workspace/own-place.ts";
import type { Workspaces } from "../../ports/workspaces.ts";
import { elsewhere, isElsewhere } from "./elsewhere.ts";
import type { Roots } from "./roots.ts";

export interface PlaceOfSession {
  /** Absolute. */
  readonly path: string;
  /** Why nothing may be written there now. */
  readonly readOnly?: string;
}

/** Where a tool works that somebody calls in a session beside its turns. Throws workspace_unavailable. */
export async function placeOfSession(
  workspaces: Workspaces | undefined,
  roots: Roots,
  state: SessionState | null,
): Promise<PlaceOfSession> {
  const id = state?.workspace_id ?? undefined;
  if (id === undefined) {
    const path = await roots.of(state);
    return workspaces?.isolates === true && needsPlace(state)
      ? { path, readOnly: "The session writes in a workspace of its own, and has none yet." }
      : { path };
  }
  if (workspaces === undefined || isElsewhere(state?.workspace_host, workspaces.host()))
    throw elsewhere(state?.workspace_host);
  return { path: (await workspaces.open(id)).path };
}
