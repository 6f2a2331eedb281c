import { z } from "zod";
import { route } from "../define-route.ts";
import { SCOPE_KINDS } from "../events/question.ts";
import { idSchema } from "../ids.ts";
import { GRANT_STATES, GrantRow } from "../rows.ts";
import { rowPage, rowQuery, SessionRef, shortText } from "./fields.ts";

export const GRANT_ROUTES = {
  listGrants: route({
    method: "GET",
    path: "/approvals/patterns",
    summary: "What is allowed without asking?",
    doc: "Approvals that reach beyond their call, of every session the caller may see, the newest first. `state=active` gives those that still count.",
    role: "viewer",
    agents: false,
    query: z.strictObject({
      ...rowQuery,
      state: z.enum(GRANT_STATES).optional(),
      scope: z.enum(SCOPE_KINDS).exclude(["call"]).optional(),
      session_id: SessionRef.optional(),
    }),
    status: 200,
    reply: rowPage(GrantRow),
    errors: ["invalid_cursor", "session_not_found"],
  }),
  revokeGrant: route({
    method: "DELETE",
    path: "/approvals/patterns/{id}",
    summary: "Take back what is allowed without asking",
    doc: "The next such call is asked about again. What has already run is not undone. Taking it back twice is the same as once.",
    role: "operator",
    agents: false,
    params: z.strictObject({ id: idSchema("grant") }),
    query: z.strictObject({ reason: shortText.optional() }),
    status: 200,
    reply: GrantRow,
    errors: ["invalid_id", "grant_not_found", "session_purged"],
  }),
};
