import { SYSTEM_STREAM } from "@fairlead/contract";
import { describe, expect, it } from "vitest";
import { openMemoryStore } from "../../src/stores/memory/open.ts";
import { ADMIN, actor, codeOf, errorOf, everything, handTime, settle, world } from "../support/world.ts";

const ADA = actor("operator", "ada");
const head = async (w: ReturnType<typeof world>) => (await w.log.readAll()).events.length;

describe("a session", () => {
  it("is made with its first state", async () => {
    const w = world();
    const row = await w.services.sessions.create(ADA, {
      title: "Boiler",
      alias: "boiler-1",
      project: "home",
    });
    expect(row).toEqual({
      session_id: "ses_0001",
      kind: "chat",
      status: "idle",
      title: "Boiler",
      project: "home",
      owner: "user",
      created_by: "ada",
      turn_id: null,
      head_seq: 1,
      created_at: "2026-01-01T00:00:00.000Z",
      updated_at: "2026-01-01T00:00:00.000Z",
      aliases: ["boiler-1"],
      parent_session_id: null,
      state: {
        session_id: "ses_0001",
        status: "idle",
        kind: "chat",
        title: "Boiler",
        aliases: ["boiler-1"],
        provider: "fairlead",
        model: "scripted",
        agent_profile: "fairlead",
        permission_mode: "normal",
        approval_mode: "on_request",
        think_level: "off",
        policy_path: "execution_mode -> approval_policy -> runtime_callbacks",
        sandbox_mode: null,
        sandbox_isolation: null,
      },
    });
    expect(await w.services.sessions.get(ADA, row.session_id)).toEqual(row);
    expect((await everything(w.log, row.session_id)).map((event) => event.type)).toEqual([
      "runtime.session.state",
    ]);
  });

  it("belongs to the project of whoever makes it", async () => {
    const { services } = world();
    const scoped = actor("operator", "bob", "home");
    expect((await services.sessions.create(scoped, {})).project).toBe("home");
    for (const project of ["work", null])
      expect(await codeOf(services.sessions.create(scoped, { project }))).toBe("forbidden");
  });

  it("does not exist for those outside its project, nor for agents that did not make it", async () => {
    const { services } = world();
    const { session_id } = await services.sessions.create(ADA, { project: "home", alias: "mine" });
    const outside = actor("admin", "eve", "work");
    const none = await errorOf(services.sessions.get(outside, "ses_9999"));
    const hidden = await errorOf(services.sessions.get(outside, session_id));
    expect(hidden.message).toBe(none.message);
    expect([hidden.code, none.code]).toEqual(["session_not_found", "session_not_found"]);
    expect(await codeOf(services.sessions.get(outside, "mine"))).toBe("session_not_found");
    expect(await codeOf(services.sessions.get(actor("agent", "bot", "home"), session_id))).toBe(
      "session_not_found",
    );
    expect((await services.sessions.list(outside, {})).rows).toEqual([]);
    expect((await services.sessions.list(actor("agent", "bot"), {})).rows).toEqual([]);
    expect((await services.sessions.get(actor("viewer", "vic", "home"), session_id)).session_id).toBe(
      session_id,
    );
  });

  it("is found by its alias by those who share the scope, and each scope has its own names", async () => {
    const { services } = world();
    const home = actor("operator", "bob", "home");
    const bot = actor("agent", "bot", "home");
    const one = await services.sessions.create(ADA, { alias: "x", project: "home" });
    expect((await services.sessions.get(ADA, "x")).session_id).toBe(one.session_id);
    expect((await services.sessions.get(home, "x")).session_id).toBe(one.session_id);
    expect(await errorOf(services.sessions.create(home, { alias: "x" }))).toMatchObject({
      code: "key_taken",
      details: { alias: "x", session_id: one.session_id },
    });
    // An agent does not even learn that the name is taken.
    const two = await services.sessions.create(bot, { alias: "x" });
    expect((await services.sessions.get(bot, "x")).session_id).toBe(two.session_id);
    const three = await services.sessions.create(actor("operator", "eve", "work"), { alias: "x" });
    expect(three.session_id).not.toBe(one.session_id);
  });

  it("changes nothing when it is refused", async () => {
    const w = world();
    await w.services.sessions.create(ADA, { alias: "x" });
    const before = await head(w);
    const { sessions } = w.services;
    expect(await codeOf(sessions.create(actor("viewer"), {}))).toBe("forbidden");
    expect(await codeOf(sessions.create(ADA, { alias: "ses_0001" }))).toBe("bad_request");
    expect(await codeOf(sessions.create(ADA, { alias: SYSTEM_STREAM }))).toBe("bad_request");
    expect(await codeOf(sessions.create(ADA, { alias: "" }))).toBe("bad_request");
    expect(await codeOf(sessions.create(ADA, { alias: "x" }))).toBe("key_taken");
    expect(await codeOf(sessions.create(ADA, { model: "gpt" }))).toBe("bad_request");
    expect(await codeOf(sessions.purge(ADA, "x", "why"))).toBe("forbidden");
    expect(await codeOf(sessions.trim(ADA, "x", 1))).toBe("forbidden");
    expect(await codeOf(sessions.trim(ADMIN, "x", 2))).toBe("invalid_cursor");
    expect(await codeOf(sessions.purge(ADMIN, SYSTEM_STREAM, "why"))).toBe("session_not_found");
    expect(await head(w)).toBe(before);
  });

  it("is listed by the last change, page by page, by status and by kind", async () => {
    const w = world({ steps: [{ hang: true }] });
    const { sessions, turns } = w.services;
    const ids: string[] = [];
    for (let i = 0; i < 5; i++) {
      ids.unshift((await sessions.create(ADA, {})).session_id);
      await w.time.advance(1000);
    }
    const first = await sessions.list(ADA, { limit: 2 });
    const second = await sessions.list(ADA, { limit: 2, cursor: first.cursor as string });
    const third = await sessions.list(ADA, { limit: 2, cursor: second.cursor as string });
    expect([...first.rows, ...second.rows, ...third.rows].map((row) => row.session_id)).toEqual(ids);
    expect(third.cursor).toBeNull();
    await turns.start(ADA, ids[4] as string, { input: "Hi" });
    expect((await sessions.list(ADA, { limit: 1 })).rows[0]?.session_id).toBe(ids[4]);
    expect((await sessions.list(ADA, { status: ["running"] })).rows.map((row) => row.session_id)).toEqual([
      ids[4],
    ]);
    expect((await sessions.list(ADA, { kind: "background" })).rows).toEqual([]);
    expect((await sessions.list(ADA, { kind: "chat", limit: 3 })).rows).toHaveLength(3);
    expect(await codeOf(sessions.list(ADA, { cursor: "nonsense" }))).toBe("invalid_cursor");
  });

  it("is gone for good after a purge, and the system log says who and why", async () => {
    const w = world({ steps: [{ hang: true }] });
    const { sessions, turns } = w.services;
    const { session_id } = await sessions.create(ADA, { alias: "x", project: "home" });
    await turns.start(ADA, session_id, { input: "Hi" });
    expect(await codeOf(sessions.purge(ADMIN, "x", "no longer needed"))).toBe("turn_active");
    await turns.cancel(ADA, session_id);
    await settle();
    await sessions.purge(ADMIN, "x", "no longer needed");
    expect(await codeOf(sessions.get(ADA, session_id))).toBe("session_purged");
    expect(await codeOf(sessions.get(ADA, "x"))).toBe("session_purged");
    expect(await codeOf(turns.start(ADA, session_id, { input: "Hi" }))).toBe("session_purged");
    expect(await codeOf(sessions.get(actor("viewer", "eve", "work"), session_id))).toBe("session_not_found");
    const [event] = (await everything(w.log, SYSTEM_STREAM)).slice(-1);
    expect(event).toMatchObject({
      type: "runtime.session.purged",
      data: { session_id, actor: "root", reason: "no longer needed" },
    });
    expect((await sessions.resolve(ADMIN, SYSTEM_STREAM)).kind).toBe("system");
    expect(await codeOf(sessions.resolve(ADA, SYSTEM_STREAM))).toBe("session_not_found");
  });

  it("loses its oldest events by a trim", async () => {
    const w = world();
    const { session_id } = await w.services.sessions.create(ADA, {});
    await w.services.turns.start(ADA, session_id, { input: "Hi" });
    await settle();
    expect(await w.services.sessions.trim(ADMIN, session_id, 4)).toMatchObject({ floor_seq: 4 });
    expect((await everything(w.log, session_id))[0]).toMatchObject({ type: "runtime.log.gap" });
  });
});

describe("an Idempotency-Key", () => {
  it("gives the first answer again, also at once and from another process", async () => {
    const time = handTime();
    const store = openMemoryStore({ clock: time.clock });
    const [one, two] = [world({ time, store, mark: "a" }), world({ time, store, mark: "b" })];
    const make = ({ services }: typeof one) =>
      services.sessions.create(ADA, { title: "T", alias: "x", idempotencyKey: "k1" });
    const rows = await Promise.all([make(one), make(two), make(one), make(two)]);
    expect(new Set(rows.map((row) => row.session_id)).size).toBe(1);
    const session = rows[0]?.session_id as string;
    const start = ({ services }: typeof one) =>
      services.turns.start(ADA, session, { input: "Hi", idempotencyKey: "k2" });
    const together = Promise.all([start(one), start(two), start(one), start(two)]);
    // Those who find the lease taken, but no turn yet, wait a moment for it.
    for (let i = 0; i < 5; i++) await settle().then(() => time.advance(20));
    const turns = await together;
    expect(new Set(turns.map((turn) => `${turn.turn_id} ${turn.seq}`)).size).toBe(1);
    await settle();
    expect(await start(two)).toEqual(turns[0]);
    const events = await everything(one.log, session as `ses_${string}`);
    expect(events.filter((event) => event.type === "runtime.request.started")).toHaveLength(1);
    const started = events.find((event) => event.turn_id === turns[0]?.turn_id);
    expect(started).toMatchObject({ type: "runtime.session.state", seq: turns[0]?.seq });
  });

  it("belongs to its actor and to one request", async () => {
    const w = world();
    const { sessions, turns } = w.services;
    const row = await sessions.create(ADA, { title: "T", idempotencyKey: "k" });
    const other = await sessions.create(actor("operator", "bob"), { title: "T", idempotencyKey: "k" });
    expect(other.session_id).not.toBe(row.session_id);
    const before = await head(w);
    expect(await codeOf(sessions.create(ADA, { title: "U", idempotencyKey: "k" }))).toBe(
      "idempotency_mismatch",
    );
    expect(await codeOf(turns.start(ADA, row.session_id, { input: "Hi", idempotencyKey: "k" }))).toBe(
      "idempotency_mismatch",
    );
    expect(await head(w)).toBe(before);
    await turns.start(ADA, row.session_id, { input: "Hi", idempotencyKey: "t" });
    await settle();
    expect(await codeOf(turns.start(ADA, row.session_id, { input: "Ho", idempotencyKey: "t" }))).toBe(
      "idempotency_mismatch",
    );
    await sessions.trim(ADMIN, row.session_id, 4);
    expect(await codeOf(turns.start(ADA, row.session_id, { input: "Hi", idempotencyKey: "t" }))).toBe(
      "key_taken",
    );
  });

  it("leaves neither the key nor a guessable mark of the request in the log", async () => {
    const w = world();
    const { session_id } = await w.services.sessions.create(ADA, {
      title: "my pin is 1234",
      idempotencyKey: "a-key-of-ada",
    });
    const text = JSON.stringify(await everything(w.log, session_id));
    expect(text).toMatch(/"cause":"cmd:[0-9a-f]{64}"/);
    expect(text).not.toContain("a-key-of-ada");
  });
});
