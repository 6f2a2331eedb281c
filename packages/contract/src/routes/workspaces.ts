import { z } from "zod";
import { route } from "../define-route.ts";

export const WORKSPACE_ROUTES = {
  listWorkspaces: route({
    method: "GET",
    path: "/workspaces",
    summary: "List directories to work in",
    doc: "`roots` are the directories that a session's `workspace` must lie in; a session that names none works in the first. `recent` are those that sessions were started in lately, the last one first.",
    role: "operator",
    agents: false,
    status: 200,
    reply: z.object({ roots: z.array(z.string()), recent: z.array(z.string()) }),
    errors: [],
  }),
};
