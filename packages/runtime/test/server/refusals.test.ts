import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SYSTEM_ACTOR } from "../../src/domain/actor.ts";
import { codeOf } from "../support/world.ts";
import { errorOf, openSse, type Site, startSite } from "./support.ts";

let site: Site;
beforeAll(async () => {
  site = await startSite();
});
afterAll(() => site.close());

/** Sends a request as it stands, and reads the answer to its end. */
async function raw(lines: readonly string[]): Promise<string> {
  const socket = connect(site.port, "127.0.0.1");
  socket.end(`${[...lines, "Connection: close"].join("\r\n")}\r\n\r\n`);
  return text(socket);
}

const post = (path: string, as: string, body: object) =>
  site.call(path, { as, method: "POST", body }).then((reply) => errorOf(reply));

describe("pages and streams agree", () => {
  it("about cursors beyond the head; the head itself is where polling goes on", async () => {
    const id = await site.session();
    await site.write(id, 3);
    const head = (await site.runtime.services.sessions.get(SYSTEM_ACTOR, id)).head_seq;
    for (const path of [`/sessions/${id}/events`, `/sessions/${id}/events/stream`]) {
      const { status, body } = await errorOf(await site.call(`${path}?after=${head + 1}`));
      expect({ status, ...body }).toMatchObject({
        status: 400,
        code: "invalid_cursor",
        message: `\`after\`: The session ends at ${head}.`,
        details: { head_seq: head },
      });
    }
    const page = await site.call(`/sessions/${id}/events?after=${head}`);
    expect(await page.json()).toEqual({ events: [], next: null, head_seq: head });
  });

  it("and a page is not asked for events that no face has, while a newer writer's are taken", async () => {
    const id = await site.session();
    const page = (types: string) => site.call(`/sessions/${id}/events?types=${types}`);
    const { status, body } = await errorOf(await page("token,nope"));
    expect({ status, ...body }).toMatchObject({ status: 400, code: "bad_request" });
    expect(body.details.issues).toMatchObject([{ field: "query.types" }]);
    expect((await page("token,runtime.from.tomorrow,agent.x,agent.output.delta")).status).toBe(200);
  });
});

it("says in the message what does not fit", async () => {
  const { body } = await errorOf(await site.call("/sessions?limit=5000"));
  expect(body).toMatchObject({
    code: "bad_request",
    message: "`limit`: Must be at most 1000.",
    details: { issues: [{ field: "query.limit", problem: "Must be at most 1000." }] },
  });
});

it.each(["all", ".", ".."])("takes %j for no alias", async (alias) => {
  expect(await post("/chat/sessions", "operator", { alias })).toMatchObject({
    status: 400,
    body: { code: "bad_request", message: expect.stringContaining("mean something else") },
  });
  expect(await codeOf(site.runtime.services.sessions.create(SYSTEM_ACTOR, { alias }))).toBe("bad_request");
});

it.each(["system", "fairlead", " Fairlead ", "ｓystem", "ada\u202e"])(
  "makes no token for %j",
  async (actor) => {
    expect(await post("/tokens", "admin", { actor, role: "viewer" })).toMatchObject({
      status: 400,
      code: "bad_request",
    });
  },
);

describe("a credential of one project", () => {
  it("has that project when it names none, and cannot ask for none", async () => {
    const { secret } = await site.token("admin", "site", "ann");
    for (const [path, body] of [
      ["/chat/sessions", {}],
      ["/tokens", { actor: "bob", role: "viewer" }],
    ] as const) {
      expect(await post(path, secret, { ...body, project: null })).toMatchObject({
        status: 403,
        code: "forbidden",
      });
      const made = await site.call(path, { as: secret, method: "POST", body });
      expect(JSON.stringify(await made.json())).toContain('"project":"site"');
    }
  });

  it("reads no metrics, which are about all", async () => {
    const { secret } = await site.token("viewer", "site");
    expect((await site.call("/metrics", { as: secret })).status).toBe(403);
    expect((await site.call("/metrics", { as: "viewer" })).status).toBe(200);
  });
});

it("refuses two Host headers, also when both are good", async () => {
  const host = `Host: 127.0.0.1:${site.port}`;
  expect(await raw(["GET /healthz HTTP/1.1", host])).toMatch(/^HTTP\/1\.1 200 /);
  for (const second of [host, "Host: evil.example", "host: "]) {
    const answer = await raw(["GET /healthz HTTP/1.1", host, second]);
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).toContain('"code":"bad_request"');
  }
});

it("ends a stream when its token expires, long before the next heartbeat", async () => {
  const id = await site.session();
  const expires_at = new Date(Date.now() + 400).toISOString();
  const { secret } = await site.runtime.services.tokens.create(SYSTEM_ACTOR, {
    actor: "guest",
    role: "viewer",
    expires_at,
  });
  const stream = await openSse(site, `/sessions/${id}/events/stream`, { as: secret });
  expect(stream.response.status).toBe(200);
  await stream.ended;
  expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(expires_at));
  expect(stream.frames.at(-1)).toMatchObject({ event: "end", data: expect.stringContaining("unauthorized") });
});
