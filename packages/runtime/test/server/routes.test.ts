import { type RouteDef, type RouteName, ROUTES } from "@fairlead/contract";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { takesHead } from "../../src/server/bind.ts";
import { allHandlers } from "../../src/server/routes/all.ts";
import type { Context } from "../../src/server/handlers.ts";
import { temporaryFolder } from "../stores.ts";
import { EXAMPLES } from "./examples.ts";
import { errorOf, type Site, startSite } from "./support.ts";

const NAMES = Object.keys(ROUTES) as RouteName[];

let site: Site;
beforeAll(async () => {
  site = await startSite();
});
afterAll(() => site.close());

/** Where the log stands: nothing that was refused may have moved it. */
async function heads(): Promise<number> {
  const { events } = await site.runtime.log.readAll({ limit: 1000 });
  let next = events.at(-1)?.pos ?? 0;
  for (;;) {
    const page = await site.runtime.log.readAll({ after: next, limit: 1000 });
    if (page.events.length === 0) return next;
    next = page.next;
  }
}

test("the table and the handlers are the same set", () => {
  const context = { log: {}, services: {}, metrics: {}, version: "0" } as unknown as Context;
  expect(Object.keys(allHandlers(context)).toSorted()).toEqual(NAMES.toSorted());
});

describe.each(NAMES)("%s", (name) => {
  const route: RouteDef = ROUTES[name];

  test("answers as the table says", async () => {
    const { path, options } = await EXAMPLES[name].good(site);
    const abort = new AbortController();
    const response = await site.call(path, { signal: abort.signal, ...options, method: route.method });
    expect([response.status, await peek(response, route)]).toEqual([route.status, expect.any(String)]);
    expect(response.headers.get("x-request-id")).toMatch(/^req_/);
    expect(response.headers.get("x-content-type-options")).toBe("nosniff");
    expect(response.headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
    expect(response.headers.get("referrer-policy")).toBe("no-referrer");
    expect(response.headers.get("cache-control")).toContain("no-store");
    if (route.reply !== null && typeof route.reply !== "string") {
      const parsed = route.reply.safeParse(await response.clone().json());
      expect(parsed.error).toBeUndefined();
    } else if (route.reply === "sse") {
      expect(response.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
    }
    abort.abort();
    if (name === "startTurn") await site.idle(path.split("/")[3]!);
  });

  test("refuses bad input with a code that says why, and changes nothing", async () => {
    for (const { path, options, code, field } of await EXAMPLES[name].bad(site)) {
      const before = await heads();
      const what = `${route.method} ${path}`.slice(0, 200);
      const answer = await errorOf(await site.call(path, { ...options, method: route.method }));
      expect({ what, code: answer.code }).toEqual({ what, code });
      expect(answer.body).toMatchObject({
        message: expect.any(String),
        hint: expect.any(String),
        request_id: expect.stringMatching(/^req_/),
      });
      if (field !== undefined) {
        expect(answer.body.details.issues.map(({ field: name }) => name)).toContain(field);
      }
      expect({ what, head: await heads() }).toEqual({ what, head: before });
    }
  });

  test("other methods get 405 with those it takes", async () => {
    const response = await site.call(route.path.replaceAll(/\{\w+\}/g, "x"), { method: "PUT" });
    expect(response.headers.get("allow")?.split(", ")).toContain(route.method);
    expect((await errorOf(response)).code).toBe("method_not_allowed");
  });

  test("HEAD works where a GET has no effect and an end", async () => {
    if (route.method !== "GET") return;
    const { path, options } = await EXAMPLES[name].good(site);
    const response = await site.call(path, { ...options, method: "HEAD" });
    expect(response.status).toBe(takesHead(route) ? 200 : 405);
    expect(await response.text()).toBe("");
  });
});

async function peek(response: Response, route: RouteDef): Promise<string> {
  return route.reply === "sse" && response.ok ? "" : response.clone().text();
}

test("an unknown address gets 404 in JSON, whatever the method and body", async () => {
  for (const method of ["GET", "POST", "DELETE", "OPTIONS", "PATCH"]) {
    const response = await site.call("/nothing/here", {
      method,
      as: null,
      ...(method === "POST" ? { body: "<xml>" } : {}),
    });
    expect(await errorOf(response)).toMatchObject({ status: 404, code: "not_found" });
  }
});

test("the same Idempotency-Key gives the first answer again; another body is refused", async () => {
  const call = (title: string) =>
    site.call("/chat/sessions", { method: "POST", body: { title }, headers: { "idempotency-key": "key-1" } });
  const first = (await (await call("one")).json()) as { session_id: string };
  const again = (await (await call("one")).json()) as { session_id: string };
  expect(again.session_id).toBe(first.session_id);
  expect(await errorOf(await call("two"))).toMatchObject({ status: 422, code: "idempotency_mismatch" });
});

test("two decisions race: one 200, one 409 that sees the first", async () => {
  const { path } = await EXAMPLES.decideQuestion.good(site);
  const decide = (decision: string) =>
    site.call(path, { method: "POST", as: "operator", body: { decision } });
  const [a, b] = await Promise.all([decide("approved"), decide("denied")]);
  expect([a.status, b.status].toSorted()).toEqual([200, 409]);
  const [won, lost] = a.status === 200 ? [a, b] : [b, a];
  const standing = (await won.json()) as { state: string };
  const refused = await errorOf(lost);
  expect(refused.code).toBe("question_decided");
  expect(refused.body.details).toMatchObject({ decision: standing.state, actor: "operator" });
});

test("a filter takes the log's names of types and the face's", async () => {
  const session = await site.session();
  await site.write(session, 2);
  for (const types of ["token", "agent.output.delta"]) {
    const page = (await (await site.call(`/sessions/${session}/events?types=${types}`)).json()) as {
      events: { type: string }[];
    };
    expect(page.events.map(({ type }) => type)).toEqual(["token", "token"]);
  }
});

test("pages go forward and backward and say where to go on", async () => {
  const session = await site.session();
  await site.write(session, 9);
  const page = async (query: string) => {
    const body = (await (await site.call(`/sessions/${session}/events?${query}`)).json()) as {
      events: { seq: number }[];
      next: number | null;
      head_seq: number;
    };
    return { seqs: body.events.map(({ seq }) => seq), next: body.next, head: body.head_seq };
  };
  expect(await page("limit=4")).toEqual({ seqs: [1, 2, 3, 4], next: 4, head: 10 });
  expect(await page("after=8&limit=4")).toEqual({ seqs: [9, 10], next: null, head: 10 });
  expect(await page("before=4&limit=2")).toEqual({ seqs: [3, 2], next: 2, head: 10 });
});

test("blobs come as attachments, and only through a session that refers to them", async () => {
  const { path } = await EXAMPLES.getBlob.good(site);
  const response = await site.call(path);
  expect(response.headers.get("content-disposition")).toBe("attachment");
  expect((await response.text()).startsWith("long ")).toBe(true);
  const other = path.replace(/ses_\w+/, await site.session());
  expect(await errorOf(await site.call(other))).toMatchObject({ status: 404, code: "blob_not_found" });
});

test("the log of the server has our id, the client's as alias, and no query", async () => {
  const response = await site.call("/sessions?limit=1", { headers: { "x-request-id": "mine-7" } });
  const id = response.headers.get("x-request-id");
  expect(id).not.toBe("mine-7");
  const line = site.logged.find(({ entry }) => entry["request_id"] === id);
  expect(line?.entry).toMatchObject({
    client_request_id: "mine-7",
    method: "GET",
    route: "listSessions",
    status: 200,
    actor: "admin",
  });
  expect(JSON.stringify(site.logged)).not.toMatch(/code=|limit=/);
});

test("an unexpected failure is `internal`, with nothing of it in the answer", async () => {
  const { sessions } = site.runtime.services;
  const { list } = sessions;
  sessions.list = () => Promise.reject(new Error("secret detail"));
  const answer = await errorOf(await site.call("/sessions"));
  sessions.list = list;
  expect(answer).toMatchObject({ status: 500, code: "internal" });
  expect(JSON.stringify(answer.body)).not.toContain("secret");
  expect(
    site.logged.some(
      ({ level, entry }) => level === "error" && String(entry["err"]).includes("secret detail"),
    ),
  ).toBe(true);
});

test("a store that is away makes readyz 503, and healthz still answers", async () => {
  const folder = temporaryFolder();
  const other = await startSite({ store: { sqlite: folder.path } });
  expect(await (await other.call("/readyz", { as: null })).json()).toEqual({ status: "ready" });
  await other.runtime.stop();
  expect(await errorOf(await other.call("/readyz", { as: null }))).toMatchObject({
    status: 503,
    code: "store_unavailable",
  });
  expect(await (await other.call("/healthz", { as: null })).json()).toEqual({ status: "ok" });
  await other.server.close();
  folder.remove();
});

test("metrics count requests by route, frames, appends and open streams", async () => {
  const text = await (await site.call("/metrics")).text();
  expect(text).toMatch(
    /fairlead_http_request_duration_seconds_count\{method="GET",route="listSessions",status="200"\} \d+/,
  );
  expect(text).toMatch(/fairlead_events_appended_total [1-9]/);
  expect(text).toMatch(/fairlead_append_duration_seconds_count [1-9]/);
  expect(text).toMatch(/fairlead_open_streams \d/);
  expect(text).toMatch(/fairlead_frames_delivered_total \d/);
});
