import type { ErrorCode } from "@fairlead/contract";

/** What a person can do about it on this page, where the server's own hint speaks to a program. */
const HINTS: Partial<Readonly<Record<ErrorCode, string>>> = {
  bad_request: "Look at what was filled in: something in it does not fit.",
  invalid_id: "The address may be incomplete: the list of sessions shows those that you may see.",
  invalid_cursor: "Load the page again: what it knew of the session is no longer so.",
  resume_cursor_invalid: "Choose a place in the timeline of this session.",
  unauthorized: "Open the sign-in link that the server printed when it started, or ask for a new one.",
  forbidden: "Ask who runs the server for a higher role or a wider project.",
  token_required: "Ask who runs the server for a token.",
  not_found: "The inbox and the list of sessions show what there is.",
  session_not_found: "The list of sessions shows those that you may see.",
  question_not_found: "The page Approvals shows the questions that you may see.",
  grant_not_found: "The page Approvals shows what is allowed now.",
  hook_not_found: "It may have been taken out of the configuration.",
  token_not_found: "It may have been revoked already.",
  tool_call_invalid: "Look at the arguments: something in them does not fit the tool.",
  turn_not_found: "It may have ended in the meantime: the timeline shows how.",
  blob_not_found: "It may have been deleted with its session.",
  part_lost: "Do not decide what you cannot see: who runs the server can bring the store back from a copy.",
  engine_unknown: "Choose one of those that are offered, or leave the choice to the server.",
  event_unknown: "The server may be older than what wrote this.",
  method_not_allowed: "Load the page again: it may be older than the server.",
  question_decided: "The page shows the decision that stands.",
  hook_changed: "Look at it again, and trust it as it is shown then.",
  session_ended: "Go on from a place in it with Branch here: that is a session of its own.",
  session_state: "Look at how it stands now: it may have moved in the meantime.",
  session_background: "Steer it while it runs, or go on from a place in it with Branch here.",
  session_not_background: "A chat is stopped with Stop, and gone on with by saying something.",
  engine_not_installed: "Choose another one, or ask who runs the server to install it.",
  turn_active: "Wait until the turn ends, or stop it first.",
  has_branches: "Sessions that branched off it have to go first.",
  engine_cannot_park: "Wait until it is done, or cancel it.",
  workspace_outside: "Choose one of the directories that are offered.",
  workspace_missing: "Make it first, or choose one of those that are offered.",
  workspace_too_large: "Leave out what is not needed with a .gitignore file.",
  branch_unsupported: "Branch a session that runs here: a supervised one belongs to another program.",
  history_trimmed: "Choose a later place: what was before is deleted.",
  payload_too_large: "Send less at once.",
  unsupported_media_type: "Load the page again: it may be older than the server.",
  idempotency_mismatch: "Load the page again, and try once more.",
  event_invalid: "Look at what was filled in: something in it does not fit.",
  headers_too_large: "Sign out and in again, or clear this site's cookies.",
  internal: "Try again. If it lasts, who runs the server finds more in its log.",
  chain_broken: "Who runs the server must look at its store before anything is written on.",
  seal_key_missing: "Who runs the server must put the key back where it was.",
  store_locked: "Who runs the server must stop the other process.",
  store_unavailable: "Try again. If it lasts, tell who runs the server.",
  shutting_down: "The page goes on by itself as soon as the server is back. Nothing is lost.",
  too_many_connections: "Close a page that you do not need, or wait a moment.",
};

/** A request, a field or a header, as only programs know them. */
const FOR_PROGRAMS = /`|\b(GET|POST|PUT|PATCH|DELETE) \/|\bAuthorization:/;

/** A hint for who looks at this page. Of a code that is not known here, only what was not written for a program. */
export function pageHint(code: string, hint: string): string {
  if (Object.hasOwn(HINTS, code)) return HINTS[code as ErrorCode] ?? "";
  return FOR_PROGRAMS.test(hint) ? "" : hint;
}

const ISO = /\b\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)/g;

/** Times as the server writes them, told as on the clock beside the reader. */
export function localTimes(text: string, print: (at: string) => string): string {
  return text.replaceAll(ISO, (at) => print(at));
}
