import type { Snapshot, SnapshotRef, Unkept } from "../../src/ports/workspaces.ts";
import { filesOf, type Lab } from "./support.ts";

export const KEPT = { id: "ws_chat", session_id: "ses_chat" };

export function demand(kept: Snapshot | Unkept | undefined): Snapshot {
  if (kept === undefined || "unkept" in kept) throw new Error(JSON.stringify(kept));
  return kept;
}

/** The files of the project, as a chat keeps them. */
export async function keep(l: Lab): Promise<Snapshot> {
  return demand(await l.workspaces.keepProject({ ...KEPT, source: l.project }));
}

export async function restored(l: Lab, from: SnapshotRef, id: string) {
  const made = await l.workspaces.restore({ id, session_id: id.replace("ws_", "ses_"), from });
  return { made, files: filesOf(made.path) };
}
