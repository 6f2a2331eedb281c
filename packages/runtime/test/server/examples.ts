import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { ErrorCode, RouteName } from "@fairlead/contract";
import { SYSTEM_ACTOR } from "../../src/domain/actor.ts";
import { backgroundExamples } from "./background-examples.ts";
import type { CallOptions, Site } from "./support.ts";

export interface Example {
  readonly path: string;
  readonly options?: CallOptions;
}

export interface BadExample extends Example {
  readonly code: ErrorCode;
  /** What `details.issues` must name. */
  readonly field?: string;
}

export interface Examples {
  /** Fits the table and does what it says. Made anew each time, so that it works each time. */
  good(site: Site): Promise<Example>;
  bad(site: Site): Promise<readonly BadExample[]>;
}

const NO_SESSION = "ses_00000000000000000000000000";
const NO_EVENT = "evt_00000000000000000000000000";
const NO_QUESTION = "apr_00000000000000000000000000";
const NO_GRANT = "gnt_00000000000000000000000000";
const NO_TOKEN = "tok_00000000000000000000000000";

const post = (body: unknown, headers: Record<string, string> = {}): CallOptions => ({
  method: "POST",
  body,
  headers,
});
const fixed = (path: string, options?: CallOptions) => async () => (options ? { path, options } : { path });
const none = async (): Promise<readonly BadExample[]> => [];

/** What every list of rows refuses. */
function badRows(path: string): readonly BadExample[] {
  return [
    { path: `${path}?limit=0`, code: "bad_request", field: "query.limit" },
    { path: `${path}?limit=1e3`, code: "bad_request", field: "query.limit" },
    { path: `${path}?limit=5&limit=6`, code: "bad_request", field: "query.limit" },
    { path: `${path}?colour=red`, code: "bad_request", field: "query.colour" },
    { path: `${path}?cursor=%00nonsense`, code: "invalid_cursor" },
  ];
}

/** What every address of one session refuses. */
function badSession(before: string, after: string, options: CallOptions = {}): readonly BadExample[] {
  return [
    { path: `${before}/${NO_SESSION}${after}`, options, code: "session_not_found" },
    { path: `${before}/no%20such%20name${after}`, options, code: "invalid_id", field: "params.id" },
    { path: `${before}/${"x".repeat(200)}${after}`, options, code: "invalid_id", field: "params.id" },
    { path: `${before}/${"x".repeat(300)}${after}`, options, code: "bad_request" },
  ];
}

async function question(site: Site): Promise<string> {
  const session = await site.session();
  const asked = await site.runtime.services.questions.ask(session, {
    kind: "approval",
    tool_name: "write_file",
    reason: "It writes.",
    shown: { path: "a.txt" },
    origin: "mode",
    pattern: "write_file: a.txt",
  });
  return asked.request_id;
}

/** A project without a repository, so that none is made a branch in. */
async function project(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), "fairlead-project-"));
  onTestFinished(() => rm(path, { recursive: true }));
  await writeFile(join(path, "a.txt"), "a");
  return path;
}

/** A session with a workspace of its own, in which something was changed. */
async function withWorkspace(site: Site): Promise<string> {
  const { workspaces, log, services } = site.runtime;
  const session_id = await site.session();
  const id = session_id.replace("ses_", "ws_");
  const made = await workspaces?.prepare({ id, session_id, source: await project() });
  const { state } = await services.sessions.get(SYSTEM_ACTOR, session_id);
  const data = { ...state, session_id, status: "idle", workspace_id: id, workspace: made?.path } as const;
  await log.append({ writes: [{ stream: session_id, events: [{ type: "runtime.session.state", data }] }] });
  return session_id;
}

async function grant(site: Site): Promise<string> {
  const { grant_id } = await site.runtime.services.questions.decide(SYSTEM_ACTOR, await question(site), {
    decision: "approved",
    scope: { kind: "session" },
  });
  return grant_id ?? "";
}

export const EXAMPLES: Readonly<Record<RouteName, Examples>> = {
  getHealth: { good: fixed("/healthz"), bad: none },
  getReadiness: { good: fixed("/readyz"), bad: none },
  getMetrics: { good: fixed("/metrics"), bad: none },
  getOpenApi: { good: fixed("/openapi.json"), bad: none },
  getDocs: { good: fixed("/docs"), bad: none },
  listStreamEvents: { good: fixed("/stream-events"), bad: none },
  verifyLog: {
    good: async (site) => ({ path: "/verify", options: post({ session_id: await site.session() }) }),
    bad: async () => [
      {
        path: "/verify",
        options: post({ session_id: "nonsense" }),
        code: "invalid_id",
        field: "body.session_id",
      },
      { path: "/verify", options: post({ session_id: NO_SESSION }), code: "session_not_found" },
      { path: "/verify", options: post({ all: true }), code: "bad_request", field: "body.all" },
      { path: "/verify", options: post([]), code: "bad_request", field: "body" },
    ],
  },
  signIn: {
    async good(site) {
      const { url } = site.server.signInLink({ name: "owner", role: "admin", project: null });
      return { path: url.slice(site.url.length), options: { as: null } };
    },
    bad: async () => [
      { path: "/auth/login", options: { as: null }, code: "bad_request", field: "query.code" },
    ],
  },
  signOut: {
    good: async (site) => ({
      path: "/auth/logout",
      options: { method: "POST", as: (await site.token("viewer")).secret },
    }),
    bad: async () => [
      { path: "/auth/logout", options: post({ all: true }), code: "bad_request", field: "body" },
    ],
  },
  createLink: { good: fixed("/auth/links", { method: "POST" }), bad: none },
  whoAmI: { good: fixed("/auth/me"), bad: none },
  getInbox: {
    good: fixed("/inbox?group=done"),
    bad: async () => [
      { path: "/inbox?group=everything", code: "bad_request", field: "query.group" },
      { path: "/inbox?cursor=abc", code: "bad_request", field: "query.group" },
      { path: "/inbox?group=done&cursor=abc", code: "invalid_cursor" },
    ],
  },
  markSeen: {
    good: async (site) => ({
      path: `/inbox/${await site.session()}/seen`,
      options: post({ upto_seq: 1 }),
    }),
    bad: async (site) => [
      {
        path: `/inbox/${await site.session()}/seen`,
        options: post({ upto_seq: 0 }),
        code: "bad_request",
        field: "body.upto_seq",
      },
      {
        path: `/inbox/${await site.session()}/seen`,
        options: post({ upto_seq: 99 }),
        code: "invalid_cursor",
      },
      { path: `/inbox/${NO_SESSION}/seen`, options: post({ upto_seq: 1 }), code: "session_not_found" },
    ],
  },
  listTokens: { good: fixed("/tokens"), bad: none },
  createToken: {
    good: fixed("/tokens", post({ actor: "ada", role: "viewer" })),
    bad: async () => [
      {
        path: "/tokens",
        options: post({ actor: "ada", role: "king" }),
        code: "bad_request",
        field: "body.role",
      },
      {
        path: "/tokens",
        options: post({ actor: "", role: "viewer" }),
        code: "bad_request",
        field: "body.actor",
      },
      {
        path: "/tokens",
        options: post({ actor: "ada", role: "viewer", expires_at: "soon" }),
        code: "bad_request",
        field: "body.expires_at",
      },
      {
        path: "/tokens",
        options: post({ actor: "ada", role: "viewer", expires_at: "2001-01-01T00:00:00Z" }),
        code: "bad_request",
      },
      { path: "/tokens", options: { method: "POST" }, code: "bad_request", field: "body.actor" },
    ],
  },
  revokeToken: {
    good: async (site) => ({
      path: `/tokens/${(await site.token("viewer")).id}`,
      options: { method: "DELETE" },
    }),
    bad: async () => [
      { path: "/tokens/nonsense", options: { method: "DELETE" }, code: "invalid_id", field: "params.id" },
      { path: `/tokens/${NO_TOKEN}`, options: { method: "DELETE" }, code: "token_not_found" },
    ],
  },
  createChatSession: {
    good: fixed("/chat/sessions", post({ title: "Hello" })),
    bad: async () => [
      {
        path: "/chat/sessions",
        options: post({ alias: "with space" }),
        code: "bad_request",
        field: "body.alias",
      },
      {
        path: "/chat/sessions",
        options: post({ alias: NO_SESSION }),
        code: "bad_request",
        field: "body.alias",
      },
      { path: "/chat/sessions", options: post({ title: 7 }), code: "bad_request", field: "body.title" },
      { path: "/chat/sessions", options: post({ model: "no such model" }), code: "bad_request" },
      { path: "/chat/sessions", options: post({ workspace: "/" }), code: "workspace_outside" },
      {
        path: "/chat/sessions",
        options: post({ workspace: "src" }),
        code: "bad_request",
        field: "body.workspace",
      },
      {
        path: "/chat/sessions",
        options: post({ policy: { health: { max_cost_usd: -1 } } }),
        code: "bad_request",
        field: "body.policy.health.max_cost_usd",
      },
      {
        path: "/chat/sessions",
        options: post({}, { "idempotency-key": "with space" }),
        code: "bad_request",
        field: "header.idempotency-key",
      },
      {
        path: "/chat/sessions",
        options: post({}, { "idempotency-key": "k".repeat(201) }),
        code: "bad_request",
        field: "header.idempotency-key",
      },
      { path: "/chat/sessions", options: post('{"title":'), code: "bad_request", field: "body" },
      { path: "/chat/sessions", options: post('{"__proto__":{"a":1}}'), code: "bad_request", field: "body" },
      { path: "/chat/sessions", options: post("[".repeat(10_000)), code: "bad_request", field: "body" },
    ],
  },
  listChatSessions: {
    good: fixed("/chat/sessions?limit=3&status=idle"),
    bad: async () => badRows("/chat/sessions"),
  },
  getChatSession: {
    good: async (site) => ({ path: `/chat/sessions/${await site.session()}` }),
    bad: async (site) => [
      ...badSession("/chat/sessions", ""),
      {
        path: `/chat/sessions/${await site.session()}?limit=0`,
        code: "bad_request",
        field: "query.limit",
      },
    ],
  },
  branchChatSession: {
    async good(site) {
      const session = await site.session();
      await site.write(session, 2);
      const body = { resume_cursor: `event:${session}:2`, title: "another way", permission_mode: "plan" };
      return { path: `/chat/sessions/${session}/branch`, options: post(body) };
    },
    async bad(site) {
      const session = await site.session();
      const elsewhere = (await site.runtime.log.read(await site.session())).events[0]?.id;
      const path = `/chat/sessions/${session}/branch`;
      const refuses = (body: unknown, code: ErrorCode, field?: string): BadExample => ({
        path,
        options: post(body),
        code,
        ...(field === undefined ? {} : { field }),
      });
      return [
        ...badSession("/chat/sessions", "/branch", post({})),
        { path: "/chat/sessions/system/branch", options: post({}), code: "system_session" },
        refuses({ from_event_id: NO_EVENT }, "event_not_found"),
        refuses({ from_event_id: elsewhere }, "event_not_found"),
        refuses({ from_event_id: "../../etc" }, "event_not_found"),
        refuses({ from_event_id: 7 }, "bad_request", "body.from_event_id"),
        refuses({ resume_cursor: "nonsense" }, "resume_cursor_invalid"),
        refuses({ resume_cursor: `event:${session}:99` }, "resume_cursor_invalid"),
        refuses({ resume_cursor: `turn:${session}:1` }, "resume_cursor_invalid"),
        refuses({ resume_cursor: `event:${NO_SESSION}:1` }, "resume_cursor_invalid"),
        refuses(
          { resume_cursor: `event:${session}:1`, from_event_id: NO_EVENT },
          "bad_request",
          "body.resume_cursor",
        ),
        refuses({ model: "no such model" }, "bad_request"),
        refuses({ permission_mode: "root" }, "bad_request", "body.permission_mode"),
        refuses({ alias: "mine" }, "bad_request", "body.alias"),
      ];
    },
  },
  startTurn: {
    good: async (site) => ({
      path: `/chat/sessions/${await site.session()}/turns`,
      options: post({ input: "hello" }),
    }),
    async bad(site) {
      const turns = `/chat/sessions/${await site.session()}/turns`;
      return [
        ...badSession("/chat/sessions", "/turns", post({ input: "hello" })),
        { path: turns, options: post({ input: "" }), code: "bad_request", field: "body.input" },
        { path: turns, options: post({ input: 7 }), code: "bad_request", field: "body.input" },
        { path: turns, options: post({}), code: "bad_request", field: "body.input" },
        { path: turns, options: post({ input: "x".repeat(1024 * 1024) }), code: "payload_too_large" },
      ];
    },
  },
  configureChatSession: {
    async good(site) {
      const body = { permission_mode: "plan", think_level: "low", title: "renamed" };
      return { path: `/chat/sessions/${await site.session()}`, options: { ...post(body), method: "PATCH" } };
    },
    bad: async (site) => [
      ...badSession("/chat/sessions", "", { ...post({ title: "x" }), method: "PATCH" }),
      {
        path: `/chat/sessions/${await site.session()}`,
        options: { ...post({ permission_mode: "root" }), method: "PATCH" },
        code: "bad_request",
        field: "body.permission_mode",
      },
      {
        path: `/chat/sessions/${await site.session()}`,
        options: { ...post({}), method: "PATCH" },
        code: "bad_request",
      },
    ],
  },
  queueInput: {
    async good(site) {
      const session = await site.session();
      await site.runtime.services.turns.start(SYSTEM_ACTOR, session, { input: "hang" });
      return { path: `/chat/sessions/${session}/queue`, options: post({ input: "and then?" }) };
    },
    bad: async (site) => [
      ...badSession("/chat/sessions", "/queue", post({ input: "x" })),
      {
        path: `/chat/sessions/${await site.session()}/queue`,
        options: post({ input: " " }),
        code: "bad_request",
      },
    ],
  },
  steerTurn: {
    async good(site) {
      const session = await site.session();
      await site.runtime.services.turns.start(SYSTEM_ACTOR, session, { input: "hang" });
      return { path: `/chat/sessions/${session}/steer`, options: post({ input: "rather this" }) };
    },
    bad: async (site) => [
      ...badSession("/chat/sessions", "/steer", post({ input: "x" })),
      {
        path: `/chat/sessions/${await site.session()}/steer`,
        options: post({ input: "nobody listens" }),
        code: "turn_not_found",
      },
    ],
  },
  listEngines: { good: fixed("/engines"), bad: async () => [] },
  listModels: { good: fixed("/models"), bad: async () => [] },
  listWorkspaces: { good: fixed("/workspaces"), bad: async () => [] },
  listTools: { good: fixed("/tools"), bad: async () => [] },
  callTool: {
    async good(site) {
      const path = `/chat/sessions/${await site.session()}/tools/list_files`;
      return { path, options: post({ arguments: {} }) };
    },
    bad: async (site) => [
      ...badSession("/chat/sessions", "/tools/list_files", post({})),
      {
        path: `/chat/sessions/${await site.session()}/tools/no_such_tool`,
        options: post({}),
        code: "tool_call_invalid",
      },
      {
        path: `/chat/sessions/${await site.session()}/tools/read_file`,
        options: post({ arguments: { path: "../../etc/passwd" } }),
        code: "tool_call_invalid",
      },
    ],
  },
  cancelTurn: {
    async good(site) {
      const session = await site.session();
      await site.runtime.services.turns.start(SYSTEM_ACTOR, session, { input: "hang" });
      return { path: `/chat/sessions/${session}/cancel`, options: { method: "POST" } };
    },
    bad: async (site) => [
      ...badSession("/chat/sessions", "/cancel", post({})),
      { path: `/chat/sessions/${await site.session()}/cancel`, options: post({}), code: "turn_not_found" },
      {
        path: `/chat/sessions/${await site.session()}/cancel`,
        options: post({ why: "" }),
        code: "bad_request",
        field: "body.why",
      },
    ],
  },
  ...backgroundExamples(badSession),
  listSessions: {
    good: fixed("/sessions?kind=chat&needs=me&sort=cost&search=two%20words"),
    bad: async () => [
      ...badRows("/sessions"),
      { path: "/sessions?sort=colour", code: "bad_request", field: "query.sort" },
      { path: "/sessions?needs=you", code: "bad_request", field: "query.needs" },
      { path: "/sessions?sort=cost&cursor=WzEsInNlc18xIl0", code: "invalid_cursor" },
    ],
  },
  getSession: {
    good: async (site) => ({ path: `/sessions/${await site.session()}` }),
    bad: async () => badSession("/sessions", ""),
  },
  compareSessions: {
    good: async (site) => ({ path: `/sessions/${await site.session()}/compare/${await site.session()}` }),
    bad: async (site) => [
      ...(await badSession("/sessions", `/compare/${await site.session()}`)),
      { path: `/sessions/${await site.session()}/compare/ses_none`, code: "session_not_found" },
    ],
  },
  offerChange: {
    good: async (site) => ({ path: `/sessions/${await withWorkspace(site)}/offer`, options: post({}) }),
    bad: async (site) => [
      ...(await badSession("/sessions", "/offer", post({}))),
      { path: `/sessions/${await site.session()}/offer`, options: post({}), code: "workspace_unavailable" },
    ],
  },
  purgeSession: {
    good: async (site) => ({
      path: `/sessions/${await site.session()}?reason=done`,
      options: { method: "DELETE" },
    }),
    bad: async (site) => [
      ...badSession("/sessions", "", { method: "DELETE" }),
      { path: "/sessions/system", options: { method: "DELETE" }, code: "system_session" },
      {
        path: `/sessions/${await site.session()}?why=x`,
        options: { method: "DELETE" },
        code: "bad_request",
        field: "query.why",
      },
    ],
  },
  trimSession: {
    async good(site) {
      const session = await site.session();
      await site.write(session, 3);
      return { path: `/sessions/${session}/trim`, options: post({ up_to: 2 }) };
    },
    bad: async (site) => [
      ...badSession("/sessions", "/trim", post({ up_to: 1 })),
      {
        path: `/sessions/${await site.session()}/trim`,
        options: post({ up_to: 0 }),
        code: "bad_request",
        field: "body.up_to",
      },
      {
        path: `/sessions/${await site.session()}/trim`,
        options: post({ up_to: 99 }),
        code: "invalid_cursor",
      },
    ],
  },
  listEvents: {
    good: async (site) => ({ path: `/sessions/${await site.session()}/events?limit=2&tier=default` }),
    async bad(site) {
      const events = `/sessions/${await site.session()}/events`;
      return [
        ...badSession("/sessions", "/events"),
        { path: `${events}?after=-1`, code: "invalid_cursor", field: "query.after" },
        { path: `${events}?after=abc`, code: "invalid_cursor", field: "query.after" },
        { path: `${events}?before=1.5`, code: "invalid_cursor", field: "query.before" },
        { path: `${events}?after=99999999999999999999`, code: "invalid_cursor", field: "query.after" },
        { path: `${events}?after=1&before=2`, code: "bad_request", field: "query.before" },
        { path: `${events}?face=poker`, code: "bad_request", field: "query.face" },
        { path: `${events}?tier=all`, code: "bad_request", field: "query.tier" },
      ];
    },
  },
  streamEvents: {
    good: async (site) => ({ path: `/sessions/${await site.session()}/events/stream` }),
    async bad(site) {
      const stream = `/sessions/${await site.session()}/events/stream`;
      const resume = (id: string): CallOptions => ({ headers: { "last-event-id": id } });
      return [
        ...badSession("/sessions", "/events/stream"),
        { path: `${stream}?after=x`, code: "invalid_cursor", field: "query.after" },
        { path: `${stream}?after=99`, code: "invalid_cursor", field: "after" },
        { path: `${stream}?history=none`, code: "bad_request", field: "query.history" },
        { path: stream, options: resume("x"), code: "invalid_cursor", field: "header.last-event-id" },
        { path: stream, options: resume("99"), code: "invalid_cursor", field: "after" },
        {
          path: `${stream}?after=1`,
          options: resume("-3"),
          code: "invalid_cursor",
          field: "header.last-event-id",
        },
      ];
    },
  },
  streamAllEvents: {
    good: fixed("/events/stream"),
    bad: async () => [
      { path: "/events/stream?after=x", code: "invalid_cursor", field: "query.after" },
      { path: "/events/stream?after=999999", code: "invalid_cursor", field: "after" },
      { path: "/events/stream?until=5", code: "bad_request", field: "query.until" },
      { path: "/events/stream?face=poker", code: "bad_request", field: "query.face" },
    ],
  },
  getBlob: {
    async good(site) {
      const session = await site.session();
      await site.write(session, 1, "long ".repeat(10_000));
      const { events } = await site.runtime.log.read(session, { after: 1 });
      const [ref] = Object.values(events[0]?.blobs ?? {});
      return { path: `/sessions/${session}/blobs/${ref?.sha256}` };
    },
    bad: async (site) => [
      ...badSession("/sessions", `/blobs/${"0".repeat(64)}`),
      { path: `/sessions/${await site.session()}/blobs/xyz`, code: "invalid_id", field: "params.sha256" },
      { path: `/sessions/${await site.session()}/blobs/${"0".repeat(64)}`, code: "blob_not_found" },
    ],
  },
  listQuestions: {
    good: fixed("/approvals?state=pending"),
    bad: async () => [
      ...badRows("/approvals"),
      { path: "/approvals?state=maybe", code: "bad_request", field: "query.state" },
      { path: "/approvals?session_id=a%20b", code: "invalid_id", field: "query.session_id" },
    ],
  },
  getQuestion: {
    good: async (site) => ({ path: `/approvals/${await question(site)}` }),
    bad: async () => [
      { path: "/approvals/nonsense", code: "invalid_id", field: "params.id" },
      { path: `/approvals/${NO_QUESTION}`, code: "question_not_found" },
    ],
  },
  decideQuestion: {
    good: async (site) => ({
      path: `/approvals/${await question(site)}/decision`,
      options: post({ decision: "approved" }),
    }),
    async bad(site) {
      const decision = `/approvals/${await question(site)}/decision`;
      return [
        {
          path: "/approvals/nonsense/decision",
          options: post({ decision: "approved" }),
          code: "invalid_id",
          field: "params.id",
        },
        {
          path: `/approvals/${NO_QUESTION}/decision`,
          options: post({ decision: "approved" }),
          code: "question_not_found",
        },
        {
          path: decision,
          options: post({ decision: "expired" }),
          code: "bad_request",
          field: "body.decision",
        },
        { path: decision, options: post({}), code: "bad_request", field: "body.decision" },
        {
          path: decision,
          options: post({ decision: "approved", shown_hash: "other" }),
          code: "question_changed",
        },
        ...[
          { scope: { kind: "forever" }, field: "body.scope.kind" },
          { scope: { kind: "pattern", pattern: 7 }, field: "body.scope.pattern" },
          { scope: { kind: "session", expires_at: "soon" }, field: "body.scope.expires_at" },
          { scope: { kind: "session", colour: "red" } },
          { scope: { kind: "pattern" } },
          { scope: { kind: "pattern", pattern: "shell: git status*" } },
          { scope: { kind: "pattern", pattern: "write_file: ../x" } },
          { scope: { kind: "session", expires_at: "2001-01-01T00:00:00Z" } },
        ].map(({ scope, field }) => ({
          path: decision,
          options: post({ decision: "approved", scope }),
          code: "bad_request" as const,
          ...(field === undefined ? {} : { field }),
        })),
        {
          path: decision,
          options: post({ decision: "denied", scope: { kind: "session" } }),
          code: "bad_request",
        },
      ];
    },
  },
  listGrants: {
    good: fixed("/approvals/patterns?state=active&scope=session"),
    bad: async () => [
      ...badRows("/approvals/patterns"),
      { path: "/approvals/patterns?state=maybe", code: "bad_request", field: "query.state" },
      { path: "/approvals/patterns?scope=call", code: "bad_request", field: "query.scope" },
      { path: "/approvals/patterns?session_id=a%20b", code: "invalid_id", field: "query.session_id" },
      { path: `/approvals/patterns?session_id=${NO_SESSION}`, code: "session_not_found" },
    ],
  },
  revokeGrant: {
    good: async (site) => ({
      path: `/approvals/patterns/${await grant(site)}?reason=done`,
      options: { method: "DELETE" },
    }),
    bad: async () => [
      {
        path: "/approvals/patterns/nonsense",
        options: { method: "DELETE" },
        code: "invalid_id",
        field: "params.id",
      },
      { path: `/approvals/patterns/${NO_GRANT}`, options: { method: "DELETE" }, code: "grant_not_found" },
    ],
  },
  listHooks: { good: fixed("/hooks"), bad: none },
  getHook: {
    good: fixed("/hooks/example"),
    bad: async () => [
      { path: "/hooks/nobodys", code: "hook_not_found" },
      { path: "/hooks/No%20name", code: "invalid_id", field: "params.name" },
    ],
  },
  trustHook: {
    async good(site) {
      const hook = await site.runtime.services.hooks.get(SYSTEM_ACTOR, "example");
      return { path: "/hooks/example/trust", options: post({ hash: hook.hash }) };
    },
    bad: async () => [
      { path: "/hooks/example/trust", options: post({ hash: "0".repeat(64) }), code: "hook_changed" },
      { path: "/hooks/nobodys/trust", options: post({ hash: "0".repeat(64) }), code: "hook_not_found" },
      { path: "/hooks/example/trust", options: post({}), code: "bad_request", field: "body.hash" },
      {
        path: "/hooks/example/trust",
        options: post({ hash: "all" }),
        code: "bad_request",
        field: "body.hash",
      },
    ],
  },
  untrustHook: {
    good: fixed("/hooks/example/trust", { method: "DELETE" }),
    bad: async () => [
      { path: "/hooks/nobodys/trust", options: { method: "DELETE" }, code: "hook_not_found" },
    ],
  },
};
