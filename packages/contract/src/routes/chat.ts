import { z } from "zod";
import { route } from "../define-route.ts";
import { SESSION_STATUSES } from "../events/session.ts";
import { idSchema } from "../ids.ts";
import { SessionRow } from "../rows.ts";
import { Alias, projectName, rowPage, rowQuery, sessionParams, shortText } from "./fields.ts";

const gone = ["invalid_id", "session_not_found", "session_purged"] as const;

export const CHAT_ROUTES = {
  createChatSession: route({
    method: "POST",
    path: "/chat/sessions",
    summary: "Start a chat session",
    doc: "`alias` is the caller's own name for it and works wherever the id does. A credential of one project makes sessions of that project only: left out, `project` is that one.",
    role: "operator",
    agents: true,
    body: z.strictObject({
      title: shortText.optional(),
      alias: Alias.optional(),
      project: projectName.nullish(),
      model: shortText.optional(),
    }),
    status: 201,
    reply: SessionRow,
    idempotent: true,
    errors: ["key_taken", "idempotency_mismatch"],
  }),
  listChatSessions: route({
    method: "GET",
    path: "/chat/sessions",
    summary: "List chat sessions",
    doc: "Those the caller may see, the last changed first.",
    role: "viewer",
    agents: true,
    query: z.strictObject({ ...rowQuery, status: z.enum(SESSION_STATUSES).optional() }),
    status: 200,
    reply: rowPage(SessionRow),
    errors: ["invalid_cursor"],
  }),
  getChatSession: route({
    method: "GET",
    path: "/chat/sessions/{id}",
    summary: "Read a chat session",
    doc: "The row as the log stands now.",
    role: "viewer",
    agents: true,
    params: sessionParams,
    status: 200,
    reply: SessionRow,
    errors: gone,
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
