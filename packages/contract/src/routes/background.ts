import { z } from "zod";
import { route } from "../define-route.ts";
import { HealthPolicy, SessionPolicy } from "../events/kernel.ts";
import { HealthyRow } from "../rows.ts";
import { settings } from "./chat.ts";
import { Alias, Directory, projectName, sessionParams, shortText, streamQuery } from "./fields.ts";

const gone = ["invalid_id", "session_not_found", "session_purged", "system_session"] as const;
const state = ["session_not_background", "session_ended", "session_state"] as const;

const MOST_METADATA = 16_384;

/** Each field may be null. */
function nullable<S extends z.ZodRawShape>(shape: S): { [K in keyof S]: z.ZodNullable<S[K]> } {
  const fields = Object.entries(shape).map(([name, field]) => [name, z.nullable(field)]);
  return Object.fromEntries(fields) as never;
}

/** What is left out stays, and null takes one away. */
const HealthChange = z.strictObject(nullable(HealthPolicy.shape));

const task = z.string().min(1).max(200_000);

/** What holds a background session, beside how it works. */
const bounds = {
  policy: SessionPolicy.optional(),
  max_retries: z.int().min(0).max(100).optional(),
  expires_at: z.iso.datetime({ offset: true }).nullish(),
  metadata: z
    .record(z.string().max(100), z.unknown())
    .refine((value) => !Object.hasOwn(value, "policy"), "Give `policy` beside it, not in it.")
    .refine((value) => JSON.stringify(value).length <= MOST_METADATA, `At most ${MOST_METADATA} characters.`)
    .optional(),
};

/** What a branch may have otherwise than its parent. */
const CHANGES = [...Object.keys(settings), ...Object.keys(bounds), "title"];

export const BACKGROUND_ROUTES = {
  startSession: route({
    method: "POST",
    path: "/sessions",
    summary: "Start background work",
    doc: "A session of the kind `background`, queued when this answers: it is taken up by itself, survives restarts, and is followed at `/sessions/{id}/events/stream`. `engine` is what drives it, `native` when left out. A failure that may pass is tried again up to `max_retries` times; past `expires_at` it is not begun nor gone on with. `workspace` is the directory that it works on, in one of the roots of `GET /workspaces`.",
    role: "operator",
    agents: true,
    body: z.strictObject({
      task,
      title: shortText.optional(),
      alias: Alias.optional(),
      project: projectName.nullish(),
      workspace: Directory.optional(),
      engine: shortText.optional(),
      ...settings,
      ...bounds,
    }),
    status: 201,
    reply: HealthyRow,
    idempotent: true,
    errors: [
      "engine_unknown",
      "engine_not_installed",
      "workspace_outside",
      "workspace_missing",
      "key_taken",
      "idempotency_mismatch",
    ],
  }),
  pauseSession: route({
    method: "POST",
    path: "/sessions/{id}/pause",
    summary: "Let background work wait",
    doc: "Nothing is lost and nothing ends. What runs at this moment is finished first: the session is `running` until then, and `paused` from its next boundary on, also if the process dies in between. One whose engine cannot wait without a process is not paused while it is at work.",
    role: "operator",
    agents: true,
    params: sessionParams,
    body: z.strictObject({ reason: shortText.optional() }),
    status: 200,
    reply: HealthyRow,
    idempotent: true,
    errors: [...gone, ...state, "engine_cannot_park", "key_taken", "idempotency_mismatch"],
  }),
  resumeSession: route({
    method: "POST",
    path: "/sessions/{id}/resume",
    summary: "Go on with background work",
    doc: "The same session, from where it stopped, when it is paused, recovering, failed or in need of review; `input` is told to it. With `from_event_id` or `resume_cursor` a new background session that shares the history up to there, and that may have other settings and bounds: what is left out stays as it was.",
    role: "operator",
    agents: false,
    params: sessionParams,
    body: z
      .strictObject({
        from_event_id: z.string().max(100).optional(),
        resume_cursor: z.string().max(200).optional(),
        input: task.optional(),
        reason: shortText.optional(),
        title: shortText.optional(),
        ...settings,
        ...bounds,
      })
      .refine((body) => body.from_event_id === undefined || body.resume_cursor === undefined, {
        path: ["resume_cursor"],
        message: "Give `from_event_id` or `resume_cursor`, not both.",
      })
      .refine(
        (body) =>
          body.from_event_id !== undefined ||
          body.resume_cursor !== undefined ||
          CHANGES.every((name) => body[name as keyof typeof body] === undefined),
        {
          path: ["resume_cursor"],
          message: "Only a branch is made with other settings: give `from_event_id` or `resume_cursor`.",
        },
      ),
    status: 200,
    reply: HealthyRow,
    idempotent: true,
    errors: [
      ...gone,
      ...state,
      "event_not_found",
      "resume_cursor_invalid",
      "history_trimmed",
      "engine_not_installed",
      "key_taken",
      "idempotency_mismatch",
    ],
  }),
  cancelSession: route({
    method: "POST",
    path: "/sessions/{id}/cancel",
    summary: "End background work",
    doc: "It has ended, and the log says so, when this answers. One that was cancelled before stays so.",
    role: "operator",
    agents: true,
    params: sessionParams,
    body: z.strictObject({ reason: shortText.optional() }),
    status: 200,
    reply: HealthyRow,
    errors: [...gone, ...state, "engine_not_installed", "turn_active"],
  }),
  acceptSession: route({
    method: "POST",
    path: "/sessions/{id}/accept",
    summary: "Accept work that needs review",
    doc: "A person has looked at it and says that it is good: `needs_review` becomes `completed`. The log keeps who, when and why. Nothing is run for it, and what was not proven is not claimed to be.",
    role: "operator",
    agents: false,
    params: sessionParams,
    body: z.strictObject({ reason: shortText.optional() }),
    status: 200,
    reply: HealthyRow,
    errors: [...gone, ...state, "turn_active"],
  }),
  setSessionPolicy: route({
    method: "PATCH",
    path: "/sessions/{id}/policy",
    summary: "Change what a session is held to",
    doc: "What is left out stays, also of `health`: a budget that is given is set, one that is null is taken away, and `health: null` takes all of them away, `expires_at: null` its end. Where a person is asked about a limit that is set anew, the question is withdrawn and the session looks again. A chat is held to budgets alone.",
    role: "operator",
    agents: false,
    params: sessionParams,
    body: z.strictObject({
      health: HealthChange.nullish(),
      max_retries: bounds.max_retries,
      expires_at: bounds.expires_at,
    }),
    status: 200,
    reply: HealthyRow,
    errors: [...gone, ...state, "seq_conflict"],
  }),
  streamHealth: route({
    method: "GET",
    path: "/sessions/{id}/health/stream",
    summary: "Follow how a session fares",
    doc: "A `health_snapshot` at once, and another whenever it changes. The SSE `id` is the seq of the event after which it was so.",
    role: "viewer",
    agents: true,
    params: sessionParams,
    query: streamQuery.omit({ history: true }),
    status: 200,
    reply: "sse",
    errors: [
      "invalid_id",
      "session_not_found",
      "session_purged",
      "invalid_cursor",
      "too_many_connections",
      "shutting_down",
    ],
  }),
};
