import { SYSTEM_ACTOR } from "../../src/domain/actor.ts";
import type { BadExample, Examples } from "./examples.ts";
import type { CallOptions, Site } from "./support.ts";

type Names =
  | "startSession"
  | "pauseSession"
  | "resumeSession"
  | "cancelSession"
  | "acceptSession"
  | "setSessionPolicy"
  | "streamHealth";

const post = (body: unknown): CallOptions => ({ method: "POST", body });
const patch = (body: unknown): CallOptions => ({ method: "PATCH", body });

/** Queued, and staying so: a site of tests takes no background work up. */
async function queued(site: Site): Promise<string> {
  return (await site.runtime.services.kernel.start(SYSTEM_ACTOR, { task: "Count to ten." })).session_id;
}

async function ended(site: Site): Promise<string> {
  const session = await queued(site);
  await site.runtime.services.kernel.cancel(SYSTEM_ACTOR, session);
  return session;
}

/** Its time was over before it was begun. */
async function failed(site: Site): Promise<string> {
  const { kernel, sessions } = site.runtime.services;
  const expires_at = "2020-01-01T00:00:00Z";
  const { session_id } = await kernel.start(SYSTEM_ACTOR, { task: "Too late.", expires_at });
  await kernel.expireDue();
  for (let looks = 0; looks < 1_000; looks++) {
    if ((await sessions.get(SYSTEM_ACTOR, session_id)).status === "failed") return session_id;
    await new Promise<void>((resolve) => void setTimeout(resolve, 5));
  }
  throw new Error("It did not expire.");
}

/** As it is at the end of work that did not prove what it owes. */
async function unproven(site: Site): Promise<string> {
  const { services, log } = site.runtime;
  const { session_id: stream, state } = await services.kernel.start(SYSTEM_ACTOR, { task: "Count." });
  const data = { session_id: stream, kind: "background", ...state, status: "needs_review" as const };
  await log.append({ writes: [{ stream, events: [{ type: "runtime.session.state", data }] }] });
  return stream;
}

/** What every address of background work refuses. */
async function badWork(
  site: Site,
  verb: string,
  options: CallOptions,
  refuses: readonly BadExample[],
): Promise<readonly BadExample[]> {
  return [
    ...refuses,
    { path: `/sessions/${await site.session()}/${verb}`, options, code: "session_not_background" },
    { path: `/sessions/${await ended(site)}/${verb}`, options, code: "session_ended" },
    {
      path: `/sessions/${await queued(site)}/${verb}`,
      options: { ...options, body: { ...(options.body as object), colour: "red" } },
      code: "bad_request",
      field: "body.colour",
    },
  ];
}

type BadSession = (before: string, after: string, options?: CallOptions) => readonly BadExample[];

export function backgroundExamples(badSession: BadSession): Readonly<Record<Names, Examples>> {
  return {
    startSession: {
      good: async () => ({
        path: "/sessions",
        options: post({
          task: "Count.",
          max_retries: 2,
          expires_at: "2100-01-01T00:00:00Z",
          metadata: { a: 1 },
          policy: { health: { max_cost_usd: 2, action: "pause" } },
        }),
      }),
      bad: async () =>
        (
          [
            [{}, "bad_request", "body.task"],
            [{ task: "" }, "bad_request", "body.task"],
            [{ task: "   " }, "bad_request"],
            [{ task: "x", colour: "red" }, "bad_request", "body.colour"],
            [{ task: "x", max_retries: -1 }, "bad_request", "body.max_retries"],
            [{ task: "x", expires_at: "soon" }, "bad_request", "body.expires_at"],
            [{ task: "x", metadata: { policy: {} } }, "bad_request", "body.metadata"],
            [{ task: "x", metadata: { big: "x".repeat(20_000) } }, "bad_request", "body.metadata"],
            [
              { task: "x", policy: { health: { max_cost_usd: -1 } } },
              "bad_request",
              "body.policy.health.max_cost_usd",
            ],
            [{ task: "x", policy: { health: { most: 1 } } }, "bad_request", "body.policy.health.most"],
            [{ task: "x", requires: [{ kind: "wish" }] }, "bad_request", "body.requires.0.kind"],
            [
              { task: "x", requires: [{ kind: "command", command: "" }] },
              "bad_request",
              "body.requires.0.command",
            ],
            [{ task: "x", model: "none" }, "bad_request"],
            [{ task: "x", engine: "steam" }, "engine_unknown"],
            [{ task: "x", engine: "codex" }, "engine_not_installed"],
          ] as const
        ).map(([body, code, field]) => ({
          path: "/sessions",
          options: post(body),
          code,
          ...(field === undefined ? {} : { field }),
        })),
    },
    pauseSession: {
      good: async (site) => ({ path: `/sessions/${await queued(site)}/pause`, options: post({}) }),
      bad: async (site) => badWork(site, "pause", post({}), badSession("/sessions", "/pause", post({}))),
    },
    resumeSession: {
      async good(site) {
        const session = await queued(site);
        await site.runtime.services.kernel.pause(SYSTEM_ACTOR, session);
        return { path: `/sessions/${session}/resume`, options: post({ input: "And mind the gap." }) };
      },
      async bad(site) {
        const path = `/sessions/${await queued(site)}/resume`;
        const paused = await queued(site);
        await site.runtime.services.kernel.pause(SYSTEM_ACTOR, paused);
        return [
          ...(await badWork(site, "resume", post({}), badSession("/sessions", "/resume", post({})))),
          { path, options: post({}), code: "session_state" },
          { path, options: post({ input: "" }), code: "bad_request", field: "body.input" },
          { path: `/sessions/${paused}/resume`, options: post({ input: "  " }), code: "bad_request" },
          {
            path: `/sessions/${paused}/resume`,
            options: post({ max_retries: 3 }),
            code: "bad_request",
            field: "body.resume_cursor",
          },
          { path, options: post({ resume_cursor: "turn:ses_1:9" }), code: "resume_cursor_invalid" },
          { path, options: post({ from_event_id: "evt_nobody" }), code: "event_not_found" },
          {
            path,
            options: post({ from_event_id: "evt_1", resume_cursor: "turn:ses_1:9" }),
            code: "bad_request",
            field: "body.resume_cursor",
          },
        ];
      },
    },
    cancelSession: {
      good: async (site) => ({
        path: `/sessions/${await queued(site)}/cancel`,
        options: post({ reason: "no" }),
      }),
      bad: async (site) => [
        ...badSession("/sessions", "/cancel", post({})),
        {
          path: `/sessions/${await site.session()}/cancel`,
          options: post({}),
          code: "session_not_background",
        },
        { path: `/sessions/${await failed(site)}/cancel`, options: post({}), code: "session_ended" },
        {
          path: `/sessions/${await queued(site)}/cancel`,
          options: post({ colour: "red" }),
          code: "bad_request",
          field: "body.colour",
        },
      ],
    },
    acceptSession: {
      good: async (site) => ({
        path: `/sessions/${await unproven(site)}/accept`,
        options: post({ reason: "Read it all." }),
      }),
      bad: async (site) => [
        ...(await badWork(site, "accept", post({}), badSession("/sessions", "/accept", post({})))),
        { path: `/sessions/${await queued(site)}/accept`, options: post({}), code: "session_state" },
        { path: `/sessions/${await failed(site)}/accept`, options: post({}), code: "session_ended" },
      ],
    },
    setSessionPolicy: {
      good: async (site) => ({
        path: `/sessions/${await queued(site)}/policy`,
        options: patch({ health: { min_score: 20 }, max_retries: 9 }),
      }),
      async bad(site) {
        const body = { max_retries: 1 };
        const path = `/sessions/${await queued(site)}/policy`;
        return [
          ...(await badWork(site, "policy", patch(body), badSession("/sessions", "/policy", patch(body)))),
          { path, options: patch({}), code: "bad_request" },
          {
            path,
            options: patch({ health: { min_score: 101 } }),
            code: "bad_request",
            field: "body.health.min_score",
          },
          { path, options: patch({ expires_at: 7 }), code: "bad_request", field: "body.expires_at" },
        ];
      },
    },
    streamHealth: {
      good: async (site) => ({ path: `/sessions/${await queued(site)}/health/stream` }),
      async bad(site) {
        const path = `/sessions/${await queued(site)}/health/stream`;
        return [
          ...badSession("/sessions", "/health/stream"),
          { path: `${path}?after=x`, code: "invalid_cursor", field: "query.after" },
          { path: `${path}?after=99`, code: "invalid_cursor", field: "after" },
          { path: `${path}?history=full`, code: "bad_request", field: "query.history" },
        ];
      },
    },
  };
}
