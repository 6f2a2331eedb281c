import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SYSTEM_ACTOR } from "../../src/domain/actor.ts";
import { aliasOf } from "../../src/domain/supervision/supervised.ts";
import { freshDatabase } from "../support/postgres.ts";
import { codeOf } from "../support/world.ts";
import { type Site, startSite } from "./support.ts";

// What a database does with these is its own affair: nobody may be told 500 for them, on any store.
const BAD = ["a\u0000b", "a\u001b[2J", "line\nbreak", "\ud800", "   ", "x".repeat(201)];

describe.each(["memory", "PostgreSQL"])("names, on %s", (kind) => {
  let site: Site;
  beforeAll(async () => {
    site = await startSite(kind === "memory" ? {} : { store: { postgres: await freshDatabase() } });
  });
  afterAll(() => site.close());

  it.each(BAD)("%j is nobody's: no token is made for it, over HTTP or beside it", async (actor) => {
    const { status } = await site.call("/tokens", { method: "POST", body: { actor, role: "operator" } });
    expect(status).toBe(400);
    const { tokens, sessions } = site.runtime.services;
    expect(await codeOf(tokens.create(SYSTEM_ACTOR, { actor, role: "operator" }))).toBe("bad_request");
    expect(await codeOf(sessions.create({ ...SYSTEM_ACTOR, name: actor }, {}))).toBe("bad_request");
    expect(await codeOf(sessions.list({ ...SYSTEM_ACTOR, role: "agent", name: actor }, {}))).toBe(
      "bad_request",
    );
  });

  it("loses what surrounds it", async () => {
    const reply = await site.call("/tokens", {
      method: "POST",
      body: { actor: "  Ada Lovelace ", role: "viewer" },
    });
    expect(await reply.json()).toMatchObject({ token: { actor: "Ada Lovelace" } });
  });

  it.each(["a\u0000b", ""])("%j is no project, alias or session", async (name) => {
    const { tokens, sessions } = site.runtime.services;
    const create = (input: object) => codeOf(sessions.create(SYSTEM_ACTOR, input));
    expect(await create({ project: name })).toBe("bad_request");
    expect(await create({ alias: name })).toBe("bad_request");
    expect(await codeOf(sessions.get(SYSTEM_ACTOR, name))).toBe("session_not_found");
    expect(await codeOf(tokens.create(SYSTEM_ACTOR, { actor: "a", role: "viewer", project: name }))).toBe(
      "bad_request",
    );
    expect(aliasOf(name)).toBeNull();
  });

  it("and texts that hold NUL are kept as they are, and never lead to 500", async () => {
    const text = "a\u0000b\u0007";
    const { session_id } = await site.runtime.services.sessions.create(SYSTEM_ACTOR, {
      title: text,
      idempotencyKey: text,
    });
    await site.runtime.services.turns.start(SYSTEM_ACTOR, session_id, {
      input: text,
      idempotencyKey: `${text}2`,
    });
    await site.idle(session_id);
    const { events } = await site.runtime.log.read(session_id, { types: ["runtime.request.started"] });
    expect(events).toMatchObject([{ data: { input: text } }]);
    const bad = encodeURIComponent(text);
    const cursor = Buffer.from(JSON.stringify([1, text])).toString("base64url");
    for (const path of [
      `/sessions?kind=${bad}`,
      `/sessions?cursor=${cursor}`,
      `/approvals?cursor=${cursor}`,
      `/sessions/${session_id}/events?types=${bad}`,
      `/sessions/${bad}`,
      `/approvals/${bad}`,
    ]) {
      expect([path, (await site.call(path)).status < 500]).toEqual([path, true]);
    }
    const purged = await site.call(`/sessions/${session_id}?reason=${bad}`, { method: "DELETE" });
    expect(purged.status).toBe(204);
  });
});
