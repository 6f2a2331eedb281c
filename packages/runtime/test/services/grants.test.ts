import type { ApprovalScope, QuestionRow, SessionId } from "@fairlead/contract";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Asked } from "../../src/domain/approval/types.ts";
import { memory, postgres, sqlite } from "../stores.ts";
import { actor, codeOf, errorOf, everything, handTime, type World, world } from "../support/world.ts";

const ADA = actor("operator", "ada");
const DAY = 86_400_000;
const status: Asked = { name: "shell", kind: "shell", arguments: { command: "git status -s" } };
const sly: Asked = { name: "shell", kind: "shell", arguments: { command: "git status; rm -rf x" } };

async function session(w: World, who = ADA, project?: string): Promise<SessionId> {
  return (await w.services.sessions.create(who, project === undefined ? {} : { project })).session_id;
}

async function ask(w: World, stream: SessionId, some: object = {}): Promise<QuestionRow> {
  return w.services.questions.ask(stream, {
    kind: "approval",
    tool_name: "shell",
    reason: "It can change something.",
    turn_id: "trn_1",
    tool_call_id: "call_1",
    origin: "mode",
    pattern: "shell: git status*",
    ...some,
  });
}

async function approve(w: World, stream: SessionId, scope: ApprovalScope, some: object = {}) {
  const { request_id } = await ask(w, stream, some);
  return w.services.questions.decide(ADA, request_id, { decision: "approved", scope });
}

describe.each([memory, sqlite, postgres])("a yes that is kept, on $name", (kind) => {
  async function open(): Promise<World> {
    const site = await kind.newSite();
    const time = handTime();
    const w = world({ time, store: await site.open(time.clock) });
    onTestFinished(async () => {
      await w.log.close();
      await site.destroy();
    });
    return w;
  }

  it("is written with the decision, and found for as far as it reaches", async () => {
    const w = await open();
    const { grants } = w.services;
    const one = await session(w);
    const two = await session(w);
    const find = async (where: SessionId, turn: string, asked = status, origin = "mode") =>
      (await grants.find(where, turn, asked, origin))?.grant_id;

    const call = await approve(w, one, { kind: "call" });
    expect(call).toMatchObject({ state: "approved", scope: { kind: "call" }, tool_call_id: "call_1" });
    expect(call).not.toHaveProperty("grant_id");
    expect(await find(one, "trn_1")).toBeUndefined();

    const turn = await approve(w, one, { kind: "turn" });
    expect(turn).toMatchObject({ grant_id: "gnt_0001", scope: { pattern: "shell: git status*" } });
    expect(await find(one, "trn_1")).toBe("gnt_0001");
    expect(await find(one, "trn_1", sly)).toBeUndefined();
    expect(await find(one, "trn_2")).toBeUndefined();
    expect(await find(one, "trn_1", status, "rule:git")).toBeUndefined();

    await approve(w, one, { kind: "session" });
    expect(await find(one, "trn_2")).toBe("gnt_0002");
    expect(await find(two, "trn_2")).toBeUndefined();

    await w.time.advance(1);
    await approve(w, one, { kind: "pattern", pattern: "shell: git *" }, { origin: "rule:git" });
    const log: Asked = { ...status, arguments: { command: "git log" } };
    expect(await find(two, "trn_9", log, "rule:git")).toBe("gnt_0003");
    expect(await find(two, "trn_9", log)).toBeUndefined();
    const events = await everything(w.log, one);
    expect(events.at(-1)).toMatchObject({
      type: "runtime.question.decided",
      data: {
        grant_id: "gnt_0003",
        scope: { kind: "pattern", pattern: "shell: git *", expires_at: "2026-01-31T00:00:00.001Z" },
      },
    });
    await w.time.advance(30 * DAY - 1);
    expect(await find(two, "trn_9", log, "rule:git")).toBe("gnt_0003");
    await w.time.advance(1);
    expect(await find(two, "trn_9", log, "rule:git")).toBeUndefined();
    expect(await find("ses_none" as SessionId, "trn_1")).toBeUndefined();
  });

  it("stays in its project, with who made the session", async () => {
    const w = await open();
    const bob = actor("operator", "bob");
    const home = await session(w, ADA, "home");
    await approve(w, home, { kind: "pattern", pattern: "shell: git status*" });
    const find = async (where: SessionId) =>
      (await w.services.grants.find(where, "t", status, "mode"))?.grant_id;
    expect(await find(await session(w, ADA, "home"))).toBe("gnt_0001");
    expect(await find(await session(w, ADA, "work"))).toBeUndefined();
    expect(await find(await session(w, ADA))).toBeUndefined();
    expect(await find(await session(w, bob, "home"))).toBeUndefined();
    // And one of no project stays out of all.
    await approve(w, await session(w, bob), { kind: "pattern", pattern: "shell: git status*" });
    expect(await find(await session(w, bob))).toBe("gnt_0002");
    expect(await find(await session(w, bob, "home"))).toBeUndefined();
  });

  it("is listed by state, scope and session, in pages, and taken back once", async () => {
    const w = await open();
    const { grants } = w.services;
    const one = await session(w, ADA, "home");
    const two = await session(w, ADA, "work");
    const short = new Date(w.time.clock.now() + 1_000).toISOString();
    await approve(w, one, { kind: "session" });
    await w.time.advance(1);
    await approve(w, two, { kind: "session", expires_at: short });
    await w.time.advance(1);
    await approve(w, one, { kind: "pattern", pattern: "shell: *" });
    await w.time.advance(2_000);
    const list = async (query: Parameters<typeof grants.list>[1], who = ADA) =>
      (await grants.list(who, query)).rows.map(({ grant_id, state }) => `${grant_id} ${state}`);
    expect(await list({})).toEqual(["gnt_0003 active", "gnt_0002 expired", "gnt_0001 active"]);
    expect(await list({ state: "active" })).toEqual(["gnt_0003 active", "gnt_0001 active"]);
    expect(await list({ state: "expired" })).toEqual(["gnt_0002 expired"]);
    expect(await list({ scope: "pattern" })).toEqual(["gnt_0003 active"]);
    expect(await list({ session_id: two })).toEqual(["gnt_0002 expired"]);
    expect(await list({}, actor("viewer", "vic", "work"))).toEqual(["gnt_0002 expired"]);
    const first = await grants.list(ADA, { limit: 2, state: "active" });
    expect(first.rows).toHaveLength(2);
    const page = await grants.list(ADA, { limit: 1 });
    expect(await list({ limit: 1, cursor: page.cursor ?? "" })).toEqual(["gnt_0002 expired"]);
    expect(page.rows[0]).toMatchObject({ origin: "mode", actor: "ada", risk: expect.any(String) });

    const revoked = await grants.revoke(ADA, "gnt_0001", "No more.");
    expect(revoked).toMatchObject({ state: "revoked", revoked_by: "ada" });
    const again = await grants.revoke(actor("admin", "root"), "gnt_0001");
    expect(again).toEqual(revoked);
    expect(await list({ state: "revoked" })).toEqual(["gnt_0001 revoked"]);
    await grants.revoke(ADA, "gnt_0003");
    expect(await grants.find(one, "trn_1", status, "mode")).toBeUndefined();
    const revocations = (await everything(w.log, one)).filter(({ type }) => type === "runtime.grant.revoked");
    expect(revocations.map(({ data }) => data)).toEqual([
      { grant_id: "gnt_0001", actor: "ada", reason: "No more." },
      { grant_id: "gnt_0003", actor: "ada" },
    ]);
  });
});

describe("a yes that is kept", () => {
  it("is seen and taken back only by those entitled", async () => {
    const w = world();
    const bot = actor("agent", "bot", "home");
    const own = await session(w, bot, "home");
    await approve(w, own, { kind: "session" });
    const { grants } = w.services;
    expect(await codeOf(grants.list(bot, {}))).toBe("forbidden");
    expect(await codeOf(grants.revoke(bot, "gnt_0001"))).toBe("forbidden");
    expect(await codeOf(grants.revoke(actor("viewer", "vic", "home"), "gnt_0001"))).toBe("forbidden");
    expect(await codeOf(grants.revoke(actor("operator", "eve", "work"), "gnt_0001"))).toBe("grant_not_found");
    expect(await codeOf(grants.revoke(ADA, "gnt_none"))).toBe("grant_not_found");
    expect(await codeOf(grants.revoke(ADA, "apr_0001"))).toBe("grant_not_found");
    expect(await codeOf(grants.list(actor("viewer", "eve", "work"), { session_id: own }))).toBe(
      "session_not_found",
    );
    expect((await grants.find(own, "trn_1", status, "mode"))?.grant_id).toBe("gnt_0001");
    const { request_id } = await ask(w, own);
    const decision = { decision: "approved", scope: { kind: "session" } } as const;
    expect(await codeOf(w.services.questions.decide(bot, request_id, decision))).toBe("forbidden");
  });

  it("is not made by a decision that does not fit, nor by a second one", async () => {
    const w = world();
    const stream = await session(w);
    const { request_id } = await ask(w, stream);
    const before = (await w.log.stream(stream))?.head_seq;
    const decide = (scope: ApprovalScope, decision: "approved" | "denied" = "approved") =>
      errorOf(w.services.questions.decide(ADA, request_id, { decision, scope }));
    for (const scope of [
      { kind: "pattern" },
      { kind: "pattern", pattern: "shell: git status; rm x" },
      { kind: "session", pattern: "write_file: x" },
      { kind: "session", expires_at: "2025-12-31T00:00:00.000Z" },
      { kind: "pattern", pattern: "shell: ls", expires_at: "2030-01-01T00:00:00.000Z" },
    ] as const)
      expect(await decide(scope)).toMatchObject({ code: "bad_request" });
    expect(await decide({ kind: "session" }, "denied")).toMatchObject({ code: "bad_request" });
    expect((await w.log.stream(stream))?.head_seq).toBe(before);
    const results = await Promise.allSettled(
      Array.from({ length: 10 }, (_, i) =>
        w.services.questions.decide(actor("operator", `op${i}`), request_id, {
          decision: "approved",
          scope: { kind: "session" },
        }),
      ),
    );
    expect(results.filter(({ status: how }) => how === "fulfilled")).toHaveLength(1);
    expect((await w.services.grants.list(ADA, {})).rows).toHaveLength(1);
    expect(await decide({ kind: "session" })).toMatchObject({ code: "question_decided" });
  });

  it("is refused to a question that nobody asks again", async () => {
    const w = world();
    const stream = await session(w);
    const { request_id } = await w.services.questions.ask(stream, {
      kind: "approval",
      tool_name: "rm",
      reason: "An agent elsewhere asks.",
    });
    const decision = { decision: "approved", scope: { kind: "session", pattern: "rm" } } as const;
    expect(await errorOf(w.services.questions.decide(ADA, request_id, decision))).toMatchObject({
      code: "bad_request",
      message: expect.stringContaining("this call only"),
    });
  });

  it("goes with its session", async () => {
    const w = world();
    const one = await session(w);
    await approve(w, one, { kind: "pattern", pattern: "shell: git status*" });
    const two = await session(w);
    expect(await w.services.grants.find(two, "t", status, "mode")).toBeDefined();
    await w.services.sessions.purge(actor("admin", "root"), one, "test");
    expect(await w.services.grants.find(two, "t", status, "mode")).toBeUndefined();
    expect(await codeOf(w.services.grants.revoke(ADA, "gnt_0001"))).toBe("grant_not_found");
  });

  it("never holds a secret that a pattern was given with, and then covers nothing", async () => {
    const w = world();
    const one = await session(w);
    const secret = "Bearer abcdefghijklmnop";
    const pattern = `shell: curl -H 'Authorization: ${secret}'`;
    const row = await approve(w, one, { kind: "session", pattern });
    expect(JSON.stringify(row)).not.toContain("abcdefghijklmnop");
    const asked: Asked = { ...status, arguments: { command: `curl -H 'Authorization: ${secret}'` } };
    expect(await w.services.grants.find(one, "trn_1", asked, "mode")).toBeUndefined();
  });
});

describe("questions written by others", () => {
  it("are prepared to be appended with what belongs to them, and expire in time", async () => {
    const w = world();
    const stream = await session(w);
    const { questions } = w.services;
    const expires_at = new Date(w.time.clock.now() + 5_000).toISOString();
    const ASK = { kind: "approval", tool_name: "shell", reason: "Why.", turn_id: "trn_1" } as const;
    const told: number[] = [];
    questions.onAsked((at) => void told.push(at));
    const one = questions.prepare({ ...ASK, shown: { password: "hunter2" }, expires_at });
    const two = questions.prepare({ ...ASK, origin: "mode" });
    const head = (await w.log.stream(stream))?.head_seq;
    expect(await codeOf(questions.get(ADA, one.request_id))).toBe("question_not_found");
    await w.log.append({ writes: [{ stream, events: [one.event, two.event] }] });
    questions.announce({ expires_at });
    questions.announce({});
    expect((await w.log.stream(stream))?.head_seq).toBe((head ?? 0) + 2);
    expect(told).toEqual([Date.parse(expires_at)]);
    const asked = await questions.ask(stream, { ...ASK, shown: { password: "hunter2" } });
    const row = await questions.get(ADA, one.request_id);
    expect(row).toMatchObject({ state: "pending", shown_hash: asked.shown_hash, expires_at });
    expect(JSON.stringify(row)).not.toContain("hunter2");
    expect(() => questions.prepare({ ...ASK, expires_at: "soon" })).toThrow(/not a time/);
  });
});
