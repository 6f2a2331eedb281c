import type { Modes } from "../../domain/approval/types.ts";
import { narrowest } from "../../domain/delegation/narrow.ts";
import { delegationOf } from "../../domain/delegation/surface.ts";
import type { StoredSession } from "../../domain/session.ts";
import { type Drive, modesFrom, modesOf } from "../loop/context.ts";

/** Nobody can be asked what a session that is gone would allow. */
const STRICT: Modes = { permission_mode: "plan", approval_mode: "always" };

/**
 * What the session may do now. What was delegated is never wider than the sessions above it, also where somebody has
 * narrowed these since: they are looked at whenever a call is judged. What people ask of a sub-agent later is theirs.
 */
export async function modesNow({ journal, log }: Pick<Drive, "journal" | "log">): Promise<Modes> {
  let modes = modesOf(journal);
  let above = journal.state.turns > 1 ? null : delegationOf(journal.state);
  while (above !== null) {
    const row: StoredSession | undefined = await log.row("session", above.parent_session_id);
    if (row === undefined) return narrowest(modes, STRICT);
    modes = narrowest(modes, modesFrom(row.state));
    above = row.state?.delegation ?? null;
  }
  return modes;
}
