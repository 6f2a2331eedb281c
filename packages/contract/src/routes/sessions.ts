import { z } from "zod";
import { route } from "../define-route.ts";
import { SESSION_STATUSES } from "../events/session.ts";
import { ChangeArtifact } from "../artifacts.ts";
import { SessionComparison } from "../comparison.ts";
import { SessionDetail } from "../details.ts";
import { HealthyRow } from "../rows.ts";
import {
  SessionRef,
  detailQuery,
  projectName,
  rowPage,
  rowQuery,
  sessionParams,
  shortText,
} from "./fields.ts";

/** What lists of sessions can be sorted by. */
export const SESSION_SORTS = ["updated", "created", "cost", "health"] as const;
export type SessionSort = (typeof SESSION_SORTS)[number];

const gone = ["invalid_id", "session_not_found", "session_purged"] as const;

export const SESSION_ROUTES = {
  listSessions: route({
    method: "GET",
    path: "/sessions",
    summary: "List sessions of every kind",
    doc: "Those the caller may see, the last changed first, each with its health. The runtime's own sessions are left out, and those of sub-agents unless `kind=subagent` or `include=subagents`. `search`: every word is a part of the title, an id, an alias, the kind, the model, the agent, the directory or who started it. `status`: `failed` and `completed` also find what is `idle` after a turn that ended so (`last_turn`). `needs=me`: what waits for the caller, or failed and was not seen by them. `sort`: `updated`, `created`, `cost` (the highest first) or `health` (the lowest score first). A `cursor` goes on with the same question.",
    role: "viewer",
    agents: true,
    query: z.strictObject({
      ...rowQuery,
      status: z.enum(SESSION_STATUSES).optional(),
      kind: shortText.optional(),
      engine: shortText.optional(),
      needs: z.enum(["me"]).optional(),
      search: z.string().max(200).optional(),
      sort: z.enum(SESSION_SORTS).optional(),
      project: projectName.optional(),
      include: z.enum(["subagents"]).optional(),
    }),
    status: 200,
    reply: rowPage(HealthyRow),
    errors: ["invalid_cursor"],
  }),
  getSession: route({
    method: "GET",
    path: "/sessions/{id}",
    summary: "Read a session",
    doc: "The row as the log stands now, its checkpoints and artifacts, its health, and who said what to whom. `limit` bounds each of these to the last so many.",
    role: "viewer",
    agents: true,
    params: sessionParams,
    query: detailQuery,
    status: 200,
    reply: SessionDetail,
    errors: gone,
  }),
  compareSessions: route({
    method: "GET",
    path: "/sessions/{id}/compare/{other}",
    summary: "Compare two sessions",
    doc: "What each did since the last event that both have: events, turns and how they ended, tools, questions, tokens, cost and files. Made for branches; two sessions that share nothing are compared from their beginnings.",
    role: "viewer",
    agents: true,
    params: z.strictObject({ id: SessionRef, other: SessionRef }),
    status: 200,
    reply: SessionComparison,
    errors: gone,
  }),
  offerChange: route({
    method: "POST",
    path: "/sessions/{id}/offer",
    summary: "Get what a session has changed",
    doc: "For a session with a workspace of its own that does not run now: the change since its beginning as a diff, and where the project is a repository as a branch `fairlead/SESSION` there. No checkout is touched. Work that completes has offered its change already, as an artifact of the kind `workspace_change`.",
    role: "operator",
    agents: false,
    params: sessionParams,
    body: z.strictObject({}),
    status: 200,
    reply: ChangeArtifact,
    errors: [...gone, "system_session", "workspace_unavailable", "turn_active"],
  }),
  purgeSession: route({
    method: "DELETE",
    path: "/sessions/{id}",
    summary: "Delete a session for good",
    doc: "Its events go, except those that a branch still reads. It answers 410 from then on.",
    role: "admin",
    agents: false,
    params: sessionParams,
    query: z.strictObject({ reason: shortText.default("purged by an admin") }),
    status: 204,
    reply: null,
    errors: [...gone, "system_session", "turn_active", "has_branches"],
  }),
  trimSession: route({
    method: "POST",
    path: "/sessions/{id}/trim",
    summary: "Drop the oldest events of a session",
    doc: "Events up to and including `up_to` go, except those that a branch still reads. The chain stays verifiable, and readers behind the trim are told of the gap. What the session goes on with is kept in a snapshot; what an open turn needs is not dropped.",
    role: "admin",
    agents: false,
    params: sessionParams,
    body: z.strictObject({ up_to: z.int().min(1) }),
    status: 200,
    reply: z.object({ session_id: z.string(), floor_seq: z.int(), head_seq: z.int() }),
    errors: [...gone, "system_session", "invalid_cursor", "turn_active"],
  }),
};
