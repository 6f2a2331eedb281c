import { randomBytes } from "node:crypto";
import { FairleadError } from "@fairlead/contract";
import type { SnapshotRef, Workspaces } from "../ports/workspaces.ts";
import { GitError } from "./git/run.ts";
import type { Records } from "./record.ts";

/** Nobody's session: what is left by a process that was killed while it looked goes with the next clean-up. */
const NOBODY = "ses_none";

/**
 * Looks at the project with a store of its own, so that nobody who keeps it is waited for, and nothing is remembered that
 * could hide a change.
 */
export function createAsKept(
  records: Pick<Records, "find">,
  { keepProject, diff, forget }: Pick<Workspaces, "keepProject" | "diff" | "forget">,
): Workspaces["isAsKept"] {
  async function compare(id: string, from: SnapshotRef, source: string): Promise<boolean> {
    const now = await keepProject({ id, session_id: NOBODY, source });
    if (now === undefined || "unkept" in now) return false;
    if (now.ref === from.ref) return true;
    // The same files on another commit have another name.
    const { files, truncated } = await diff(from, now);
    return files.length === 0 && !truncated;
  }

  return async (from) => {
    const record = records.find(from.workspace_id);
    if (record?.keeps !== "project") return false;
    const id = `ws_look_${randomBytes(8).toString("hex")}`;
    try {
      return await compare(id, from, record.source);
    } catch (error) {
      if (error instanceof FairleadError || error instanceof GitError) return false;
      throw error;
    } finally {
      await forget(id);
    }
  };
}
