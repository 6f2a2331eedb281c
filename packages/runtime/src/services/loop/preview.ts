import { previewHash } from "../../domain/approval/shown.ts";
import type { GuardedCall } from "../../domain/guard/types.ts";
import type { CallState } from "../../domain/loop/state.ts";
import type { Tool, ToolPreview } from "../../ports/tool.ts";
import { type Drive, turnOf } from "./context.ts";

/** What the call would change now. */
export function previewOf(drive: Drive, call: GuardedCall): Promise<ToolPreview> {
  const { session, place, tools } = drive;
  const { tool_call_id } = call;
  const { turn_id } = turnOf(drive);
  return tools.preview(call, { session_id: session, turn_id, tool_call_id, workspace: place.path() });
}

/**
 * Whether the call would change something else now than what a person said yes to. True also where the question does
 * not say what that was.
 */
export async function previewChanged(
  drive: Drive,
  call: Pick<CallState, "requested" | "shown">,
  tool: Pick<Tool, "preview">,
): Promise<boolean> {
  const { requested, shown } = call;
  if (tool.preview === undefined) return false;
  if (shown?.preview_hash === undefined) return true;
  const { tool_call_id } = requested;
  const { name, arguments: args } = shown;
  const now = await previewOf(drive, { tool_call_id, name, arguments: args, repairs: [] });
  return previewHash(now) !== shown.preview_hash;
}

/**
 * Whether a call that was lost with its process would change something else now than what a person said yes to. One
 * that has taken effect would change nothing. Where nobody was shown anything, nothing is known.
 */
export async function changedSince(drive: Drive, call: CallState): Promise<boolean> {
  const { requested, shown, started } = call;
  if (started?.effect !== "idempotent" || shown?.preview_hash === undefined) return false;
  const { tool_call_id } = requested;
  const { name, arguments: args } = started;
  const now = await previewOf(drive, { tool_call_id, name, arguments: args, repairs: [] });
  return previewHash(now) !== shown.preview_hash && !changesNothing(now);
}

/** A diff with a head and no hunks. */
function changesNothing({ diff = "" }: ToolPreview): boolean {
  return diff.startsWith("--- ") && !diff.includes("\n@@ ");
}
