import { z } from "zod";
import { route } from "../define-route.ts";
import { EFFECTS, TOOL_OUTCOME_STATUSES } from "../events/tool.ts";
import { sessionParams } from "./fields.ts";

const toolName = z.string().regex(/^[\w.:-]{1,128}$/, "Not the name of a tool.");

export const TOOL_ROUTES = {
  listTools: route({
    method: "GET",
    path: "/tools",
    summary: "List tools",
    doc: "Those that turns are offered now: built in, of servers and of modules.",
    role: "viewer",
    agents: true,
    status: 200,
    reply: z.object({
      tools: z.array(
        z.object({
          name: z.string(),
          description: z.string(),
          parameters: z.unknown(),
          access: z.enum(["read", "write"]),
          effect: z.enum(EFFECTS),
          origin: z.string(),
        }),
      ),
    }),
    errors: [],
  }),
  callTool: route({
    method: "POST",
    path: "/chat/sessions/{id}/tools/{name}",
    summary: "Run a tool yourself",
    doc: "Passes the guard, the rules and the supervisors like a call of a model; what the modes would ask a person is answered by the person who sends this. What a rule or supervisor wants decided by a person is refused.",
    role: "operator",
    agents: false,
    params: sessionParams.extend({ name: toolName }),
    body: z.strictObject({ arguments: z.looseObject({}).default({}) }),
    status: 200,
    reply: z.object({
      tool_call_id: z.string(),
      status: z.enum(TOOL_OUTCOME_STATUSES),
      outcome_type: z.string(),
      elapsed_ms: z.number(),
      result: z.unknown(),
      error: z.string().nullable(),
    }),
    errors: [
      "invalid_id",
      "session_not_found",
      "session_purged",
      "system_session",
      "tool_call_invalid",
      "tool_denied",
      "workspace_unavailable",
    ],
  }),
};
