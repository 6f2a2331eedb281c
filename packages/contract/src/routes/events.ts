import { z } from "zod";
import { route } from "../define-route.ts";
import { allStreamQuery, pageQuery, sessionParams, SessionRef, streamQuery } from "./fields.ts";

/** Of the face that was asked for: `FrontendFrame` or `RuntimeFrame`, whose fields depend on their name. */
const frame = z.looseObject({ type: z.string() });

const gone = ["invalid_id", "session_not_found", "session_purged"] as const;

export const EVENT_ROUTES = {
  listEvents: route({
    method: "GET",
    path: "/sessions/{id}/events",
    summary: "Read a page of events",
    doc: "`after` reads on from a seq, oldest first; `before` reads back from one, newest first. `types` keeps only the events it names, apart by commas, in the face's words or the log's, and one that neither has is refused unless a newer writer could have it; `tier=default` leaves out debug events. `history=full` also reads what a branch has from its parent.",
    role: "viewer",
    agents: true,
    params: sessionParams,
    query: pageQuery,
    status: 200,
    reply: z.object({
      events: z.array(frame),
      next: z.int().nullable(),
      head_seq: z.int(),
    }),
    errors: [...gone, "invalid_cursor"],
  }),
  streamEvents: route({
    method: "GET",
    path: "/sessions/{id}/events/stream",
    summary: "Follow a session",
    doc: "What is there after the cursor, then what comes, without gap or duplicate. The SSE `id` is the seq; go on with `Last-Event-ID` or `after` (the header wins). `after=latest` begins at the end: only what comes. An `id` without data says that there is nothing for this reader up to it. The cursor means the same on every face. A WebSocket can be opened at the same address: it carries the same bytes, in binary messages.",
    role: "viewer",
    agents: true,
    params: sessionParams,
    query: streamQuery,
    status: 200,
    reply: "sse",
    errors: [...gone, "invalid_cursor", "too_many_connections", "shutting_down"],
  }),
  getBlob: route({
    method: "GET",
    path: "/sessions/{id}/blobs/{sha256}",
    summary: "Fetch a large part of an event",
    doc: "Only what an event of this session refers to.",
    role: "viewer",
    agents: true,
    params: z.strictObject({ id: SessionRef, sha256: z.string().regex(/^[0-9a-f]{64}$/) }),
    status: 200,
    reply: "bytes",
    errors: [...gone, "blob_not_found"],
  }),
  streamAllEvents: route({
    method: "GET",
    path: "/events/stream",
    summary: "Follow every session",
    doc: "All sessions the caller may see, in the order of commits. The SSE `id` is a position in that order and means nothing elsewhere. `after=latest` begins at the end: only what comes. `until=latest` ends where the log ended when it was asked for, without a word. `types` keeps only the events it names, as on a page of events. Over a WebSocket too, as with one session.",
    role: "viewer",
    agents: true,
    query: allStreamQuery,
    status: 200,
    reply: "sse",
    errors: ["invalid_cursor", "too_many_connections", "shutting_down"],
  }),
};
