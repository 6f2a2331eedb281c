import { describe, expect, test } from "vitest";
import type { RouteDef, RouteName } from "../src/index.ts";
import { ROUTES } from "../src/index.ts";

const ALL = Object.entries(ROUTES) as [RouteName, RouteDef][];

/** Every address, with the least role. A dot: an agent may call it too, for its own sessions. */
const EXPECTED = `
GET /healthz - .
GET /readyz - .
GET /metrics viewer
GET /openapi.json - .
GET /docs - .
GET /stream-events - .
POST /verify admin
GET /auth/login -
GET /auth/me viewer .
POST /auth/logout viewer
POST /auth/links viewer
GET /tokens admin
POST /tokens admin
DELETE /tokens/{id} admin
POST /chat/sessions operator .
GET /chat/sessions viewer .
GET /chat/sessions/{id} viewer .
PATCH /chat/sessions/{id} operator
POST /chat/sessions/{id}/branch operator .
POST /chat/sessions/{id}/queue operator .
POST /chat/sessions/{id}/steer operator .
POST /chat/sessions/{id}/turns operator .
POST /chat/sessions/{id}/cancel operator .
GET /sessions viewer .
GET /sessions/{id} viewer .
GET /sessions/{id}/compare/{other} viewer .
POST /sessions/{id}/offer operator
DELETE /sessions/{id} admin
POST /sessions/{id}/trim admin
POST /sessions operator .
POST /sessions/{id}/pause operator .
POST /sessions/{id}/resume operator
POST /sessions/{id}/cancel operator .
POST /sessions/{id}/accept operator
PATCH /sessions/{id}/policy operator
GET /sessions/{id}/health/stream viewer .
GET /engines viewer .
GET /sessions/{id}/events viewer .
GET /sessions/{id}/events/stream viewer .
GET /sessions/{id}/blobs/{sha256} viewer .
GET /events/stream viewer .
GET /approvals viewer .
GET /approvals/{id} viewer .
POST /approvals/{id}/decision operator
GET /approvals/patterns viewer
DELETE /approvals/patterns/{id} operator
GET /tools viewer .
POST /chat/sessions/{id}/tools/{name} operator
GET /models viewer .
GET /hooks viewer
GET /hooks/{name} operator
POST /hooks/{name}/trust operator
DELETE /hooks/{name}/trust operator
GET /inbox viewer
POST /inbox/{id}/seen viewer
GET /workspaces operator
`;

describe("the table of routes", () => {
  test("has these addresses, for these roles", () => {
    const lines = ALL.map(([, r]) => `${r.method} ${r.path} ${r.role ?? "-"}${r.agents ? " ." : ""}`);
    expect(lines).toEqual(EXPECTED.trim().split("\n"));
  });

  test.each(ALL)("%s declares the parameters of its path, and no others", (_, route) => {
    const inPath = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    expect(Object.keys(route.params?.shape ?? {})).toEqual(inPath);
  });

  test.each(ALL)("%s is described", (_, route) => {
    expect(route.summary).toMatch(/^[A-Z].*[^.]$/);
    expect(route.doc).toMatch(/^[A-Z`].*\.$/);
    expect(new Set(route.errors).size).toBe(route.errors.length);
  });

  test.each(ALL)("%s takes a body only where it changes something", (_, route) => {
    if (route.body) expect(["POST", "PATCH"]).toContain(route.method);
    if (route.idempotent) expect(route.body).toBeDefined();
  });

  test("an agent can neither decide a question nor make a token", () => {
    expect(ROUTES.decideQuestion.agents).toBe(false);
    expect(ROUTES.createToken.agents).toBe(false);
    expect(ROUTES.createLink.agents).toBe(false);
  });
});

describe("queries", () => {
  const { query } = ROUTES.listEvents;

  test("come as text and are read as what they mean", () => {
    expect(query.parse({ after: "7", limit: "20", types: "a.b,c.d", tier: "debug" })).toEqual({
      after: 7,
      limit: 20,
      types: ["a.b", "c.d"],
      tier: "debug",
      face: "frontend",
      history: "own",
    });
    expect(query.parse({})).toEqual({ limit: 100, face: "frontend", history: "own" });
    expect(query.parse({ before: "9007199254740991", limit: "1000" }).before).toBe(2 ** 53 - 1);
  });

  test.each([
    { after: "" },
    { after: "-1" },
    { after: "1.5" },
    { after: "1e3" },
    { after: "0x10" },
    { after: " 7" },
    { after: "7 " },
    { after: "٧" },
    { after: "9007199254740993" },
    { after: "99999999999999999999" },
    { after: "NaN" },
    { after: ["1", "2"] },
    { after: 7 },
    { after: "1", before: "9" },
    { limit: "0" },
    { limit: "1001" },
    { types: "" },
    { types: "a,,b" },
    { types: "x,".repeat(200) },
    { tier: "all" },
    { face: "Frontend" },
    { history: "none" },
    { surprise: "1" },
  ])("%j is refused", (bad) => {
    expect(query.safeParse(bad).success).toBe(false);
  });
});

describe("paths and bodies", () => {
  test.each(["ses_01h", "my-own-name", "thread:abc.1", "a@b~c+d"])("%j can name a session", (id) => {
    expect(ROUTES.getSession.params.safeParse({ id }).success).toBe(true);
  });

  test.each(["", "a/b", "..%2f", "a b", "ä", "x".repeat(129), "a\n", "'; drop"])(
    "%j cannot name a session",
    (id) => {
      expect(ROUTES.getSession.params.safeParse({ id }).success).toBe(false);
      expect(ROUTES.createChatSession.body.safeParse({ alias: id }).success).toBe(false);
    },
  );

  test.each(["ses_1", "prj_1", "system"])("%j is no alias: it could be an id of ours", (alias) => {
    expect(ROUTES.createChatSession.body.safeParse({ alias }).success).toBe(false);
  });

  test.each([{}, { input: "" }, { input: 7 }, { input: "x", extra: 1 }, null, [], "x"])(
    "%j starts no turn",
    (body) => {
      expect(ROUTES.startTurn.body.safeParse(body).success).toBe(false);
    },
  );

  test.each([{}, { decision: "expired" }, { decision: "Approved" }, { decision: "approved", x: 1 }])(
    "%j decides nothing",
    (body) => {
      expect(ROUTES.decideQuestion.body.safeParse(body).success).toBe(false);
    },
  );

  test.each([
    { actor: "", role: "viewer" },
    { actor: "a", role: "root" },
    { actor: "a", role: "viewer", expires_at: "tomorrow" },
    { actor: "a", role: "viewer", purpose: "browser" },
  ])("%j makes no token", (body) => {
    expect(ROUTES.createToken.body.safeParse(body).success).toBe(false);
  });

  test.each([{}, { up_to: 0 }, { up_to: 1.5 }, { up_to: "5" }])("%j trims nothing", (body) => {
    expect(ROUTES.trimSession.body.safeParse(body).success).toBe(false);
  });
});
