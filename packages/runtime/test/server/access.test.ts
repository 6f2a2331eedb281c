import { type RouteDef, type RouteName, ROUTES, type Role } from "@fairlead/contract";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { SYSTEM_ACTOR } from "../../src/domain/actor.ts";
import { createGate } from "../../src/server/gate.ts";
import { createHttp } from "../../src/server/http.ts";
import { LIMITS } from "../../src/server/limits.ts";
import { freshDatabase } from "../support/postgres.ts";
import { EXAMPLES } from "./examples.ts";
import { errorOf, openSse, ROLES, type Site, startSite } from "./support.ts";

const NAMES = Object.keys(ROUTES) as RouteName[];
const RANK: Record<Role, number> = { agent: -1, viewer: 0, operator: 1, admin: 2 };

/** Said again here, from the words of the table, so that a mistake in the server's own check shows. */
function may(route: RouteDef, role: Role): boolean {
  if (route.role === null) return true;
  return role === "agent" ? route.agents : RANK[role] >= RANK[route.role];
}

let site: Site;
beforeAll(async () => {
  site = await startSite();
});
afterAll(() => site.close());

describe.each(NAMES)("%s", (name) => {
  const route: RouteDef = ROUTES[name];

  async function statusAs(as: string | null): Promise<number> {
    const { path, options } = await EXAMPLES[name].good(site);
    const abort = new AbortController();
    const response = await site.call(path, { ...options, as, method: route.method, signal: abort.signal });
    abort.abort();
    return response.status;
  }

  test.each(ROLES)("as %s", async (role) => {
    // A fresh one each time: signing out revokes it.
    const status = await statusAs((await site.token(role)).secret);
    if (may(route, role)) expect(status).not.toBe(401);
    // An agent that may call still sees only its own sessions.
    if (may(route, role) && role !== "agent") expect(status).toBeLessThan(400);
    if (!may(route, role)) expect(status).toBe(403);
  });

  test("without a credential, and with bad ones", async () => {
    const open = route.role === null;
    for (const as of [null, "nonsense", "flt_0_aaaaaaaaaaaaaaaaaaaaaaaa", `${site.tokens.admin}x`]) {
      const status = await statusAs(as);
      if (open) expect(status).toBeLessThan(400);
      else expect(status).toBe(401);
    }
  });
});

test("401 says how to authenticate", async () => {
  const response = await site.call("/sessions", { as: null });
  expect(response.headers.get("www-authenticate")).toMatch(/^Bearer/);
  expect((await errorOf(response)).body.hint).toContain("Authorization: Bearer");
});

test("a route that does not say who may call it is closed", async () => {
  const actor = (role: Role) => ({ name: role, role, project: null, token_id: null });
  let next = 0;
  const app = createHttp({
    limits: LIMITS,
    ids: { next: (kind) => `${kind}_${++next}` as never },
    logger: { debug() {}, info() {}, warn() {}, error() {} },
    upgrades: () => false,
  });
  app.decorateRequest("actor", null);
  app.decorateRequest("credential", null);
  app.addHook(
    "onRequest",
    createGate({
      auth: { authenticate: async ({ secret }) => actor(secret as Role) },
      limits: LIMITS,
      served: () => ({ host: "127.0.0.1", port: 80, allowHosts: [], secure: false }),
      stopping: () => false,
      connections: () => 1,
    }),
  );
  app.get("/forgotten", async () => "in");
  const call = async (headers: Record<string, string>) =>
    (await app.inject({ url: "/forgotten", headers: { host: "localhost", ...headers } })).statusCode;
  expect(await call({})).toBe(401);
  for (const role of ROLES) {
    expect(await call({ authorization: `Bearer ${role}` })).toBe(role === "admin" ? 200 : 403);
  }
  await app.close();
});

test("a revoked token is refused at once, and its streams end and say why", async () => {
  const { secret, id } = await site.token("viewer");
  const stream = await openSse(site, `/sessions/${await site.session()}/events/stream`, { as: secret });
  expect((await site.call("/sessions", { as: secret })).status).toBe(200);
  expect((await site.call(`/tokens/${id}`, { method: "DELETE" })).status).toBe(204);
  expect((await site.call("/sessions", { as: secret })).status).toBe(401);
  await stream.ended;
  expect(stream.frames.at(-1)).toMatchObject({ event: "end", data: expect.stringContaining("unauthorized") });
});

test("an expired token loses its streams at the next heartbeat, others keep theirs", async () => {
  const short = await startSite({ config: { limits: { heartbeatMs: 50 } } });
  const expires_at = new Date(Date.now() + 1_000).toISOString();
  const { secret } = await short.runtime.services.tokens.create(SYSTEM_ACTOR, {
    actor: "brief",
    role: "viewer",
    expires_at,
  });
  const stream = await openSse(short, `/sessions/${await short.session()}/events/stream`, { as: secret });
  const other = await openSse(short, "/events/stream");
  await stream.ended;
  expect(stream.frames.at(-1)?.event).toBe("end");
  await short.session();
  await other.until((frames) => frames.length > 1);
  await short.close();
});

test("a token revoked by another process loses its streams at once, not at a heartbeat", async () => {
  const store = { postgres: await freshDatabase() };
  const config = { limits: { heartbeatMs: 60_000 } };
  const [here, there] = [await startSite({ store, config }), await startSite({ store })];
  const { secret, id } = await here.token("viewer");
  const stream = await openSse(here, `/sessions/${await here.session()}/events/stream`, { as: secret });
  expect((await there.call(`/tokens/${id}`, { method: "DELETE", as: there.tokens.admin })).status).toBe(204);
  await stream.ended;
  expect(stream.frames.at(-1)).toMatchObject({ event: "end", data: expect.stringContaining("unauthorized") });
  await here.close();
  await there.close();
}, 20_000);

test("projects: one does not see the other's sessions, events or questions", async () => {
  const red = (await site.token("operator", "red", "rosa")).secret;
  const blue = (await site.token("operator", "blue", "bert")).secret;
  const made = await site.call("/chat/sessions", { method: "POST", as: red, body: {} });
  const { session_id } = (await made.json()) as { session_id: string };
  expect((await site.call(`/sessions/${session_id}`, { as: red })).status).toBe(200);
  for (const path of [
    `/sessions/${session_id}`,
    `/sessions/${session_id}/events`,
    `/sessions/${session_id}/events/stream`,
  ]) {
    expect(await errorOf(await site.call(path, { as: blue }))).toMatchObject({
      status: 404,
      code: "session_not_found",
    });
  }
  const list = (await (await site.call("/sessions", { as: blue })).json()) as {
    rows: { session_id: string }[];
  };
  expect(list.rows.map((row) => row.session_id)).not.toContain(session_id);
});

test("an admin of one project makes tokens for that project only, and cannot check the whole log", async () => {
  const admin = (await site.token("admin", "red", "rita")).secret;
  const create = (project: string | null | undefined) =>
    site.call("/tokens", { method: "POST", as: admin, body: { actor: "x", role: "admin", project } });
  expect((await create("red")).status).toBe(201);
  expect((await create("blue")).status).toBe(403);
  expect((await create(null)).status).toBe(403);
  const inherited = (await (await create(undefined)).json()) as { token: { project: string } };
  expect(inherited.token.project).toBe("red");
  expect((await site.call("/verify", { method: "POST", as: admin, body: {} })).status).toBe(403);
});

test("an agent sees its own sessions only and never decides", async () => {
  const own = await site.call("/chat/sessions", { method: "POST", as: "agent", body: {} });
  const { session_id } = (await own.json()) as { session_id: string };
  expect((await site.call(`/sessions/${session_id}/events`, { as: "agent" })).status).toBe(200);
  expect((await site.call(`/sessions/${await site.session()}/events`, { as: "agent" })).status).toBe(404);
  const { path, options } = await EXAMPLES.decideQuestion.good(site);
  expect(await errorOf(await site.call(path, { ...options, as: "agent" }))).toMatchObject({
    status: 403,
    code: "forbidden",
  });
});

test("without a token the server does not start on an address that others can reach", async () => {
  const { createRuntime } = await import("../../src/create-runtime.ts");
  const { createServer } = await import("../../src/server/app.ts");
  const { tokenAuthenticator } = await import("../../src/server/auth/authenticator.ts");
  const runtime = await createRuntime({ store: "memory", env: {} });
  const { tokens } = runtime.services;
  const make = () =>
    createServer({
      runtime,
      auth: tokenAuthenticator(tokens),
      config: { host: "0.0.0.0", port: 0, version: "0" },
      logger: { debug() {}, info() {}, warn() {}, error() {} },
    });
  await expect(make().listen()).rejects.toMatchObject({
    name: "FairleadError",
    code: "token_required",
    hint: expect.stringContaining("fairlead token create"),
    details: { host: "0.0.0.0" },
  });
  await tokens.create(SYSTEM_ACTOR, { actor: "cli", role: "admin", purpose: "cli" });
  await expect(make().listen()).rejects.toThrow(/no API token/);
  await tokens.create(SYSTEM_ACTOR, { actor: "ada", role: "operator" });
  const server = make();
  const { url } = await server.listen();
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  expect((await fetch(`${url}/healthz`)).status).toBe(200);
  await server.close();
  await runtime.stop();
});
