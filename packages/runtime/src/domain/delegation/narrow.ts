import { type ApprovalMode, PERMISSION_MODES, type PermissionMode } from "@fairlead/contract";
import type { Modes } from "../approval/types.ts";

/** The narrower of the two. `PERMISSION_MODES` goes from narrow to wide. */
function narrower(a: PermissionMode, b: PermissionMode): PermissionMode {
  return PERMISSION_MODES.indexOf(a) <= PERMISSION_MODES.indexOf(b) ? a : b;
}

/** From the one that asks least to the one that lets least pass unasked. */
const STRICTNESS: readonly ApprovalMode[] = ["on_escalation", "on_request", "never", "always"];

/** What both let pass. */
export function narrowest(a: Modes, b: Modes): Modes {
  const stricter = STRICTNESS.indexOf(a.approval_mode) >= STRICTNESS.indexOf(b.approval_mode) ? a : b;
  return {
    permission_mode: narrower(a.permission_mode, b.permission_mode),
    approval_mode: stricter.approval_mode,
  };
}

/**
 * The modes of a sub-agent: at most those of who delegates. Asked modes can only narrow. How people are asked is not
 * the model's to choose, so it stays as it is.
 */
export function modesOfChild(
  { permission_mode, approval_mode }: Modes,
  asked: PermissionMode | undefined,
): Modes & { readonly approval_mode: ApprovalMode } {
  return { permission_mode: narrower(permission_mode, asked ?? permission_mode), approval_mode };
}

/** The tools of a sub-agent: what was asked for of what there is; undefined means all there is. */
export type Tools =
  | { readonly ok: true; readonly tools: readonly string[] | undefined }
  | { readonly ok: false; readonly unknown: readonly string[] };

/** `own`: those that the delegating session may use. `limited`: whether that is a choice, and not simply all. */
export function toolsOfChild(
  own: readonly string[],
  limited: boolean,
  asked: readonly string[] | undefined,
): Tools {
  if (asked === undefined) return { ok: true, tools: limited ? own : undefined };
  const unknown = asked.filter((name) => !own.includes(name));
  return unknown.length > 0 ? { ok: false, unknown } : { ok: true, tools: [...new Set(asked)] };
}
