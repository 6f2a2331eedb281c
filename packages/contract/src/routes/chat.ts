import { z } from "zod";
import { route } from "../define-route.ts";
import {
  APPROVAL_MODES,
  PERMISSION_MODES,
  Reflection,
  SESSION_STATUSES,
  THINK_LEVELS,
} from "../events/session.ts";
import { Requirements } from "../events/evidence.ts";
import { SessionPolicy } from "../events/kernel.ts";
import { idSchema } from "../ids.ts";
import { ChatSessionDetail } from "../details.ts";
import { SessionRow } from "../rows.ts";
import {
  Alias,
  Directory,
  detailQuery,
  projectName,
  rowPage,
  rowQuery,
  sessionParams,
  shortText,
} from "./fields.ts";

/** How the session works. */
export const settings = {
  model: shortText.optional(),
  permission_mode: z.enum(PERMISSION_MODES).optional(),
  approval_mode: z.enum(APPROVAL_MODES).optional(),
  think_level: z.enum(THINK_LEVELS).optional(),
  instructions: z.string().max(100_000).optional(),
  reflection: Reflection.optional(),
  /** What it owes before a turn is done; an empty list takes it away. */
  requires: Requirements.optional(),
};

const said = z.object({ session_id: idSchema("session"), input_id: idSchema("input"), seq: z.int().min(1) });

const gone = ["invalid_id", "session_not_found", "session_purged"] as const;

export const CHAT_ROUTES = {
  createChatSession: route({
    method: "POST",
    path: "/chat/sessions",
    summary: "Start a chat session",
    doc: "`alias` is the caller's own name for it and works wherever the id does. A credential of one project makes sessions of that project only: left out, `project` is that one. `workspace` is the directory that its tools work in, in one of the roots of `GET /workspaces`; `policy` is what it is held to: its turns stop and ask, or end, where a budget is reached.",
    role: "operator",
    agents: true,
    body: z.strictObject({
      title: shortText.optional(),
      alias: Alias.optional(),
      project: projectName.nullish(),
      workspace: Directory.optional(),
      policy: SessionPolicy.optional(),
      ...settings,
    }),
    status: 201,
    reply: SessionRow,
    idempotent: true,
    errors: ["workspace_outside", "workspace_missing", "key_taken", "idempotency_mismatch"],
  }),
  listChatSessions: route({
    method: "GET",
    path: "/chat/sessions",
    summary: "List chat sessions",
    doc: "Those the caller may see, the last changed first. Sessions of sub-agents are left out unless `include=subagents`.",
    role: "viewer",
    agents: true,
    query: z.strictObject({
      ...rowQuery,
      status: z.enum(SESSION_STATUSES).optional(),
      include: z.enum(["subagents"]).optional(),
    }),
    status: 200,
    reply: rowPage(SessionRow),
    errors: ["invalid_cursor"],
  }),
  getChatSession: route({
    method: "GET",
    path: "/chat/sessions/{id}",
    summary: "Read a chat session",
    doc: "The row as the log stands now, the places to go on or branch from, delegated work, artifacts, and who said what to whom. `limit` bounds each of these to the last so many.",
    role: "viewer",
    agents: true,
    params: sessionParams,
    query: detailQuery,
    status: 200,
    reply: ChatSessionDetail,
    errors: gone,
  }),
  configureChatSession: route({
    method: "PATCH",
    path: "/chat/sessions/{id}",
    summary: "Change how a session works",
    doc: "Holds from the next step on, also of a turn under way. What is left out stays.",
    role: "operator",
    agents: false,
    params: sessionParams,
    body: z.strictObject({ title: shortText.optional(), ...settings }),
    status: 200,
    reply: SessionRow,
    errors: [...gone, "system_session", "seq_conflict"],
  }),
  branchChatSession: route({
    method: "POST",
    path: "/chat/sessions/{id}/branch",
    summary: "Go on in another way from a place in a session",
    doc: "Makes a new chat session that shares the history up to and including `from_event_id`, or up to `resume_cursor`; with neither, up to the end. A turn that was open there is closed in the branch; questions stay with the session that asked them. What is left out of the settings stays as it was.",
    role: "operator",
    agents: true,
    params: sessionParams,
    body: z
      .strictObject({
        from_event_id: z.string().max(100).optional(),
        resume_cursor: z.string().max(200).optional(),
        title: shortText.optional(),
        ...settings,
      })
      .refine((body) => body.from_event_id === undefined || body.resume_cursor === undefined, {
        path: ["resume_cursor"],
        message: "Give `from_event_id` or `resume_cursor`, not both.",
      }),
    status: 201,
    reply: SessionRow,
    idempotent: true,
    errors: [
      ...gone,
      "system_session",
      "event_not_found",
      "resume_cursor_invalid",
      "history_trimmed",
      "branch_unsupported",
      "key_taken",
      "idempotency_mismatch",
    ],
  }),
  queueInput: route({
    method: "POST",
    path: "/chat/sessions/{id}/queue",
    summary: "Say something for after the open turn",
    doc: "It becomes a turn of its own when the open one has ended; without an open one, at once.",
    role: "operator",
    agents: true,
    params: sessionParams,
    body: z.strictObject({ input: z.string().min(1) }),
    status: 202,
    reply: said,
    idempotent: true,
    errors: [...gone, "system_session", "idempotency_mismatch", "payload_too_large"],
  }),
  steerTurn: route({
    method: "POST",
    path: "/chat/sessions/{id}/steer",
    summary: "Say something to the open turn",
    doc: "The model hears it with its next step. What comes too late for that becomes a turn of its own.",
    role: "operator",
    agents: true,
    params: sessionParams,
    body: z.strictObject({ input: z.string().min(1) }),
    status: 202,
    reply: said,
    idempotent: true,
    errors: [...gone, "system_session", "turn_not_found", "idempotency_mismatch", "payload_too_large"],
  }),
  startTurn: route({
    method: "POST",
    path: "/chat/sessions/{id}/turns",
    summary: "Send a request",
    doc: "Recorded before the answer comes: 202 with the turn's id and the seq of the first event it wrote. With `Accept: text/event-stream` the answer is `session`, which has no id, and then the turn's events: from the `session_state` that says it runs to the one that says it is over.",
    role: "operator",
    agents: true,
    params: sessionParams,
    body: z.strictObject({ input: z.string().min(1) }),
    status: 202,
    reply: z.object({
      session_id: idSchema("session"),
      turn_id: idSchema("turn"),
      seq: z.int().min(1),
    }),
    streams: true,
    idempotent: true,
    errors: [...gone, "system_session", "turn_active", "idempotency_mismatch", "payload_too_large"],
  }),
  cancelTurn: route({
    method: "POST",
    path: "/chat/sessions/{id}/cancel",
    summary: "Stop the open turn",
    doc: "The turn has ended, and the log says so, when this answers.",
    role: "operator",
    agents: true,
    params: sessionParams,
    body: z.strictObject({ reason: shortText.optional() }),
    status: 200,
    reply: z.object({ turn_id: idSchema("turn") }),
    errors: [...gone, "system_session", "turn_not_found", "turn_active"],
  }),
};
