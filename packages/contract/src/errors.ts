/** What a code means everywhere: its HTTP status, what happened, and what to do about it. */
export interface ErrorDef {
  readonly status: number;
  readonly message: string;
  readonly hint: string;
}

/** The codes are stable: clients branch on them, people read the sentences. */
export const ERRORS = {
  bad_request: {
    status: 400,
    message: "The request is not valid.",
    hint: "See `details` for the fields that do not fit, and the API reference at /docs.",
  },
  invalid_id: {
    status: 400,
    message: "That is not an id of the expected kind.",
    hint: "Ids have a prefix that says what they name, such as ses_ for a session.",
  },
  invalid_cursor: {
    status: 400,
    message: "The cursor is not a position in this log.",
    hint: "Use the id of the last event you received, or of a list the `cursor` of the page before, asked the same way. Left out, it starts at the beginning.",
  },
  resume_cursor_invalid: {
    status: 400,
    message: "That is not a resume cursor of this session.",
    hint: "Take one from `resume_points` of `GET /chat/sessions/{id}`.",
  },
  unauthorized: {
    status: 401,
    message: "This needs a credential, and none that is valid came with the request.",
    hint: "Send `Authorization: Bearer TOKEN`, or open the sign-in link that the server printed when it started.",
  },
  forbidden: {
    status: 403,
    message: "This credential does not allow that.",
    hint: "Ask for a token with a higher role or a wider project: `fairlead token create`.",
  },
  token_required: {
    status: 403,
    message: "This address can be reached by other machines, and there is no API token yet.",
    hint: "Make one first: `fairlead token create --role operator --actor NAME`.",
  },
  bad_host: {
    status: 403,
    message: "The Host header names an address that this server does not answer to.",
    hint: "Use the address the server printed, or add the name with --allow-host.",
  },
  bad_origin: {
    status: 403,
    message: "Requests from pages of another origin are refused.",
    hint: "Open the server's own page, or call it from a program with a token.",
  },
  system_session: {
    status: 403,
    message: "This session belongs to the runtime and takes no requests from people.",
    hint: "Read its events if you like; start a session of your own to talk.",
  },
  not_found: {
    status: 404,
    message: "There is nothing at this address.",
    hint: "The addresses that exist are listed at /docs.",
  },
  session_not_found: {
    status: 404,
    message: "There is no such session, or this credential may not see it.",
    hint: "`GET /sessions` lists the sessions you may see.",
  },
  event_not_found: {
    status: 404,
    message: "The session has no such event.",
    hint: "Take the id from an event of this session, or of the history that it shares.",
  },
  question_not_found: {
    status: 404,
    message: "There is no such question, or this credential may not see it.",
    hint: "`GET /approvals` lists the questions you may see.",
  },
  grant_not_found: {
    status: 404,
    message: "There is no such saved approval, or this credential may not see it.",
    hint: "`GET /approvals/patterns` lists those you may see.",
  },
  hook_not_found: {
    status: 404,
    message: "The configuration has no such hook.",
    hint: "`GET /hooks` lists the hooks.",
  },
  token_not_found: {
    status: 404,
    message: "There is no such token.",
    hint: "`GET /tokens` lists the tokens.",
  },
  tool_call_invalid: {
    status: 422,
    message: "The call does not fit the tool, so nothing was run.",
    hint: "See `details` for what does not fit; `GET /tools` lists the tools and what they take.",
  },
  tool_denied: {
    status: 403,
    message: "The call is not allowed here, so nothing was run.",
    hint: "The message says by what: a mode of the session, a rule or a supervisor.",
  },
  turn_not_found: {
    status: 404,
    message: "The session has no such turn, or none is open.",
    hint: "`GET /chat/sessions/{id}` shows the open turn as `turn_id`.",
  },
  blob_not_found: {
    status: 404,
    message: "No event of this session refers to such a blob.",
    hint: "Take the hash from the `blobs` of an event of the same session.",
  },
  part_lost: {
    status: 500,
    message: "A large part of what is asked for is no longer in the store, so nothing of it is shown.",
    hint: "Run `fairlead verify`, and bring the store back from a copy. Do not decide what you cannot see.",
  },
  engine_unknown: {
    status: 422,
    message: "There is no engine of that name. Nothing was started.",
    hint: "`details.engines` lists those that there are. Left out, it is `native`.",
  },
  event_unknown: {
    status: 422,
    message: "The catalogue has no event of this type.",
    hint: "The types are listed in docs/reference/events.md. A newer writer needs a newer program.",
  },
  method_not_allowed: {
    status: 405,
    message: "This address does not take that method.",
    hint: "The `Allow` header lists the methods it takes.",
  },
  question_decided: {
    status: 409,
    message: "Someone has already decided this question.",
    hint: "`details` carries the decision that stands, by whom and when.",
  },
  question_expired: {
    status: 409,
    message: "The question expired before it was decided.",
    hint: "The run was told so. Ask it again to get a new question.",
  },
  question_changed: {
    status: 409,
    message: "The decision was made on something other than what the question shows.",
    hint: "Read the question again and decide on what it shows now.",
  },
  hook_changed: {
    status: 409,
    message: "The hook is not what it was when you looked at it.",
    hint: "Look at it again: `GET /hooks/{name}`. Trust it by the hash that is shown there.",
  },
  hook_unusable: {
    status: 409,
    message: "The hook cannot be run as it is configured, so there is nothing to trust.",
    hint: "The message says what is missing. Mend that, then look at the hook again.",
  },
  session_ended: {
    status: 409,
    message: "The session has ended.",
    hint: "Go on from a place in it, in a session of its own: `POST /sessions/{id}/resume` with `resume_cursor` or `from_event_id`.",
  },
  session_state: {
    status: 409,
    message: "The session is in no state in which that could happen.",
    hint: "`details.status` says which. Read the session again; only one that is paused, recovering, failed or in need of review is resumed.",
  },
  session_background: {
    status: 409,
    message: "The session does background work, and takes no turns from a chat.",
    hint: "Steer it while it runs, or go on from a place in it as a chat: `POST /chat/sessions/{id}/branch`.",
  },
  session_not_background: {
    status: 409,
    message: "Only background sessions are started, paused, resumed and cancelled here.",
    hint: "A chat is stopped by `POST /chat/sessions/{id}/cancel` and gone on with by saying something.",
  },
  engine_not_installed: {
    status: 409,
    message: "The engine is known, and is not installed here. Nothing was started.",
    hint: "Use `native`, or install what the message names and start the server again.",
  },
  engine_cannot_park: {
    status: 409,
    message: "What drives this session cannot wait without a process, so it is not paused. It goes on.",
    hint: "Let it end, or cancel it. `GET /engines` says which engines can wait.",
  },
  turn_active: {
    status: 409,
    message: "The session has an open turn.",
    hint: "Wait for its `turn_end`, or cancel it first.",
  },
  seq_conflict: {
    status: 409,
    message: "The stream has moved on since it was read.",
    hint: "Read it again and decide anew.",
  },
  lease_lost: {
    status: 409,
    message: "Another process has taken over this session.",
    hint: "Stop driving it. What this process had appended stays.",
  },
  key_taken: {
    status: 409,
    message: "Something else already has this key.",
    hint: "Use another key, or leave it out.",
  },
  stream_exists: {
    status: 409,
    message: "There is already a stream with this id.",
    hint: "Append to it, or choose another id.",
  },
  has_branches: {
    status: 409,
    message: "Branches still read from these events.",
    hint: "Purge the branches named in `details` first.",
  },
  workspace_unavailable: {
    status: 409,
    message: "The workspace of this session cannot be used here, so nothing was done in its place.",
    hint: "It lies on the machine that made it: run the session there, or start another one. docs/workspaces.md says more.",
  },
  workspace_outside: {
    status: 422,
    message: "No session may work in this directory.",
    hint: "Choose one that lies in a root: `GET /workspaces` lists them, and `workspaces.roots` in the configuration adds others.",
  },
  workspace_missing: {
    status: 422,
    message: "There is no such directory, or it cannot be read.",
    hint: "Make it first, or choose another: `GET /workspaces` lists those that were used lately.",
  },
  workspace_too_large: {
    status: 422,
    message: "The project is too large to be copied into a workspace.",
    hint: "Leave out what is not needed with a .gitignore file; `details` has the sizes and the limits.",
  },
  snapshot_not_found: {
    status: 410,
    message: "The snapshot of the files is not there any more.",
    hint: "Branch from a later place, or from a session whose workspace is kept. The history itself is not affected.",
  },
  branch_unsupported: {
    status: 409,
    message: "This session is driven elsewhere, so nothing here can go on from the middle of it.",
    hint: "Branch a session of the runtime's own: `GET /chat/sessions` lists them.",
  },
  history_trimmed: {
    status: 410,
    message: "The events up to that place were trimmed, so there is nothing to go on from.",
    hint: "Choose a later place: `resume_points` of `GET /chat/sessions/{id}` lists those that are left.",
  },
  session_purged: {
    status: 410,
    message: "The session was purged. Its events are gone for good.",
    hint: "Nothing brings them back. The system log says who purged it and why.",
  },
  payload_too_large: {
    status: 413,
    message: "The request body is larger than this server takes.",
    hint: "Send less, or raise the limit with --max-body.",
  },
  unsupported_media_type: {
    status: 415,
    message: "The body is not of a type this server reads.",
    hint: "Send JSON with `Content-Type: application/json`.",
  },
  event_invalid: {
    status: 422,
    message: "The event does not fit its schema, so nothing was appended.",
    hint: "See `details` for the fields that do not fit.",
  },
  idempotency_mismatch: {
    status: 422,
    message: "This Idempotency-Key was used before, for another request.",
    hint: "Use a new key for a new request; repeat a request only unchanged.",
  },
  headers_too_large: {
    status: 431,
    message: "The request headers are larger than this server takes.",
    hint: "Send fewer or smaller headers.",
  },
  internal: {
    status: 500,
    message: "Something went wrong on the server.",
    hint: "The server's own log says more under this `request_id`.",
  },
  chain_broken: {
    status: 500,
    message: "The log is not what was written: its hash chain does not hold.",
    hint: "`fairlead verify` names the first bad event. Restore from a copy; do not write on.",
  },
  seal_key_missing: {
    status: 500,
    message: "Sealed data cannot be opened: its key is not there.",
    hint: "Put the key back where it was (`fairlead doctor` says where), then restart.",
  },
  store_newer: {
    status: 500,
    message: "The store was written by a newer program than this one.",
    hint: "Run that version or a later one. This program changes nothing in it.",
  },
  store_locked: {
    status: 503,
    message: "Another process has this store open.",
    hint: "Stop that process, or talk to its server. `details` names it.",
  },
  store_unavailable: {
    status: 503,
    message: "The store does not answer.",
    hint: "Try again. If it lasts, `fairlead doctor` says what is wrong.",
  },
  too_many_connections: {
    status: 503,
    message: "The server holds as many connections as it may.",
    hint: "Close one, or wait as long as `Retry-After` says.",
  },
  shutting_down: {
    status: 503,
    message: "The server is stopping.",
    hint: "Connect again with your last cursor: nothing is lost.",
  },
  job_conflict: {
    status: 503,
    message: "The job queue is not available.",
    hint: "Try again. The job's state has not changed.",
  },
} as const satisfies Record<string, ErrorDef>;

export type ErrorCode = keyof typeof ERRORS;

export function isErrorCode(text: string): text is ErrorCode {
  return Object.hasOwn(ERRORS, text);
}
