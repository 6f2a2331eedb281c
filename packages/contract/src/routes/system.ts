import { z } from "zod";
import { route } from "../define-route.ts";
import { TIERS } from "../define.ts";
import { idSchema } from "../ids.ts";

const open = { method: "GET", role: null, agents: true, status: 200, errors: [] } as const;

export const SYSTEM_ROUTES = {
  getHealth: route({
    ...open,
    path: "/healthz",
    summary: "Is the process alive?",
    doc: "Answers as long as the process can answer at all. Looks at nothing else.",
    reply: z.object({ status: z.literal("ok") }),
  }),
  getReadiness: route({
    ...open,
    path: "/readyz",
    summary: "Can it take work?",
    doc: "Answers 200 when the store can be written to and the server is not stopping, else 503.",
    reply: z.object({ status: z.literal("ready") }),
    errors: ["store_unavailable", "shutting_down"],
  }),
  getMetrics: route({
    ...open,
    role: "viewer",
    agents: false,
    path: "/metrics",
    summary: "Metrics for Prometheus",
    doc: "The server's counters and timings in Prometheus' text format. They are about all projects, so a credential of one project gets 403.",
    reply: "text",
  }),
  getOpenApi: route({
    ...open,
    path: "/openapi.json",
    summary: "This API as OpenAPI 3.1",
    doc: "Generated from the table of routes, as is the page at `/docs`.",
    reply: z.looseObject({ openapi: z.string() }),
  }),
  getDocs: route({
    ...open,
    path: "/docs",
    summary: "This API as a page",
    doc: "For people. Loads nothing from elsewhere.",
    reply: "html",
  }),
  listStreamEvents: route({
    ...open,
    path: "/stream-events",
    summary: "Every event a stream can carry",
    doc: "The names that the frontend face sends, which is exactly the set a frontend must handle (seed 000).",
    reply: z.object({
      events: z.array(
        z.object({
          name: z.string(),
          types: z.array(z.string()),
          tier: z.enum(TIERS),
          persisted: z.boolean(),
          doc: z.string(),
        }),
      ),
    }),
  }),
  verifyLog: route({
    method: "POST",
    path: "/verify",
    summary: "Check the hash chain",
    doc: "Reads one session's events, or all, and names the first event of each stream that is not what was written. A long check sends spaces before its answer, so that nobody takes it for dead.",
    role: "admin",
    agents: false,
    body: z.strictObject({ session_id: idSchema("session").optional() }),
    status: 200,
    reply: z.object({
      ok: z.boolean(),
      streams: z.int(),
      events: z.int(),
      broken: z.array(
        z.object({
          stream: z.string(),
          seq: z.int(),
          id: z.string().nullable(),
          reason: z.string(),
        }),
      ),
    }),
    errors: ["session_not_found", "session_purged", "store_unavailable"],
  }),
};
