import type { AnyEvent, NewEvent, SessionState } from "@fairlead/contract";
import type { Workspace } from "../../ports/workspaces.ts";
import { is } from "../event.ts";

const HOW = {
  worktree: "a git worktree",
  clone: "a clone of the repository",
  copy: "a copy of the files",
} as const;

/** Background work that may write does so in a place of its own. A chat works under the eyes of whoever started it. */
export function needsPlace(settings: SessionState | null): boolean {
  return settings?.kind === "background" && settings.permission_mode !== "plan";
}

/** The same for every try, so that what one left the next one finds. */
export function workspaceIdOf(session_id: string): string {
  return session_id.replace(/^ses_/, "ws_");
}

const BESIDE = "_beside";

/** For what is kept by who calls tools beside the turns of a session. */
export function besideIdOf(session_id: string): string {
  return `${workspaceIdOf(session_id)}${BESIDE}`;
}

export function isBeside(workspace_id: string): boolean {
  return workspace_id.endsWith(BESIDE);
}

export function taskGraphIdOf(session_id: string): string {
  return session_id.replace(/^ses_/, "tg_");
}

/** Which isolation it is, in seed 000's words. */
export function placeNotice(
  { id, path, method, base, notes, reason }: Workspace,
  why: string,
  kind = "background",
): NewEvent<"runtime.sandbox.notice"> {
  return {
    type: "runtime.sandbox.notice",
    data: {
      requested_backend: `${kind}_session`,
      resolved_backend: "task_workspace",
      isolation: "workspace",
      reason: why,
      details: { workspace_id: id, method, path, base, reason, notes: [...notes] },
    },
  };
}

export function preparedWhy({ method }: Workspace): string {
  return `Prepared a task workspace for write-capable background work: ${HOW[method]}.`;
}

export function restoredWhy({ method }: Workspace, seq: number): string {
  return `Prepared a task workspace with the files as they were at event ${seq}: ${HOW[method]}.`;
}

/** Says that a branch from here would not get the files as they are. */
export function unkeptNotice(place: Workspace, why: string): NewEvent<"runtime.sandbox.notice"> {
  const notice = placeNotice(place, why);
  return { ...notice, data: { ...notice.data, details: { ...notice.data.details, kept: false } } };
}

/** Of a session that works in the project itself. */
export function unkeptProject(
  settings: Pick<SessionState, "kind"> | null,
  { why, unkept }: { readonly why: string; readonly unkept?: string },
): NewEvent<"runtime.sandbox.notice"> {
  return {
    type: "runtime.sandbox.notice",
    data: {
      requested_backend: `${settings?.kind ?? "chat"}_session`,
      resolved_backend: "project",
      isolation: "none",
      reason: `The files of the project are not kept here: branches get them as they are then. ${why}`,
      details: { kept: false, why, ...(unkept === undefined ? {} : { unkept }) },
    },
  };
}

/** Why files were not kept; undefined where the event does not say that. */
export function whyUnkept(event: AnyEvent): string | undefined {
  if (!isUnkept(event) || !is(event, "runtime.sandbox.notice")) return undefined;
  const why = event.data.details?.["why"];
  return typeof why === "string" ? why : event.data.reason;
}

/** Whether it was the project itself that was not kept. Of a task workspace the last snapshot is still the nearest. */
export function isUnkeptProject(event: AnyEvent): boolean {
  return isUnkept(event) && is(event, "runtime.sandbox.notice") && event.data.resolved_backend === "project";
}

export function isUnkept(event: AnyEvent): boolean {
  return is(event, "runtime.sandbox.notice") && event.data.details?.["kept"] === false;
}
