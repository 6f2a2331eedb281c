import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { FairleadError, QuestionRow, SessionId } from "@fairlead/contract";
import { describe, expect, it } from "vitest";
import { shownHash } from "../../src/domain/question.ts";
import { openMemoryStore } from "../../src/stores/memory/open.ts";
import { openSqliteStore } from "../../src/stores/sqlite/open.ts";
import { temporaryFolder } from "../stores.ts";
import { ADMIN, type World, actor, codeOf, errorOf, everything, handTime, world } from "../support/world.ts";

const ADA = actor("operator", "ada");
const ASK = { kind: "approval", tool_name: "write_file", reason: "It writes." } as const;

async function asked(w: World, extra: object = {}): Promise<{ session: SessionId; question: QuestionRow }> {
  const session = (await w.services.sessions.create(ADA, {})).session_id;
  return { session, question: await w.services.questions.ask(session, { ...ASK, ...extra }) };
}

describe("a question", () => {
  it("is kept with what is shown and its hash, and decided", async () => {
    const w = world();
    const shown = { path: "/tmp/x", content: "hello" };
    const { session, question } = await asked(w, {
      shown,
      risk: "high",
      asked_by: "writer",
      turn_id: "trn_7",
    });
    expect(question).toEqual({
      request_id: "apr_0001",
      session_id: session,
      ...ASK,
      state: "pending",
      asked_by: "writer",
      shown,
      shown_hash: shownHash({ content: "hello", path: "/tmp/x" }),
      risk: "high",
      expires_at: null,
      asked_at: "2026-01-01T00:00:00.000Z",
      asked_seq: 2,
      decided_at: null,
      actor: null,
      note: null,
    });
    const decided = await w.services.questions.decide(ADA, question.request_id, {
      decision: "edited",
      edited: { path: "/tmp/y" },
      note: "there",
    });
    expect(decided).toMatchObject({
      state: "edited",
      actor: "ada",
      note: "there",
      decided_at: "2026-01-01T00:00:00.000Z",
    });
    const [asking, deciding] = (await everything(w.log, session)).slice(1);
    expect(deciding).toMatchObject({
      type: "runtime.question.decided",
      cause: asking?.id,
      turn_id: "trn_7",
      data: { decision: "edited", edited: { path: "/tmp/y" }, actor: "ada" },
    });
  });

  it("hashes what a person sees, not the secrets that were taken out; execution still gets those", async () => {
    const w = world();
    const { session, question } = await asked(w, {
      shown: { header: "Bearer abcdefghijklmnop", password: "hunter2" },
    });
    expect(JSON.stringify(question.shown)).not.toMatch(/hunter2|abcdefghijklmnop/);
    expect(question.shown_hash).toBe(shownHash(question.shown));
    expect(await w.log.unseal(session, question.asked_seq)).toMatchObject({ shown: { password: "hunter2" } });
    expect(
      await codeOf(
        w.services.questions.decide(ADA, question.request_id, {
          decision: "approved",
          shown_hash: shownHash({}),
        }),
      ),
    ).toBe("question_changed");
    await w.services.questions.decide(ADA, question.request_id, {
      decision: "approved",
      shown_hash: question.shown_hash as string,
    });
  });

  it("shows all of what is too large for the log", async () => {
    const w = world();
    const shown = { file: "x".repeat(50_000), lines: Array.from({ length: 9_000 }, (_, i) => i) };
    const { question } = await asked(w, { shown });
    expect((await w.services.questions.get(ADA, question.request_id)).shown).toEqual(shown);
    expect(question.shown_hash).toBe(shownHash(shown));
  });

  it("is not shown in part when a part is lost", async () => {
    const folder = temporaryFolder();
    const time = handTime();
    const w = world({ store: openSqliteStore({ dir: folder.path, clock: time.clock }), time });
    try {
      const { question } = await asked(w, { shown: { file: "x".repeat(50_000) } });
      const db = new DatabaseSync(join(folder.path, "fairlead.db"));
      expect(db.prepare("DELETE FROM blobs").run().changes).toBe(1);
      db.close();
      expect(await codeOf(w.services.questions.get(ADA, question.request_id))).toBe("part_lost");
    } finally {
      await w.log.close();
      folder.remove();
    }
  });

  it("is decided exactly once, by twenty at once in several processes", async () => {
    const time = handTime();
    const store = openMemoryStore({ clock: time.clock });
    const worlds = ["a", "b", "c", "d"].map((mark) => world({ time, store, mark }));
    const { session, question } = await asked(worlds[0] as World);
    const results = await Promise.allSettled(
      Array.from({ length: 20 }, (_, i) =>
        (worlds[i % 4] as World).services.questions.decide(actor("operator", `op${i}`), question.request_id, {
          decision: i % 2 === 0 ? "approved" : "denied",
          note: `from ${i}`,
        }),
      ),
    );
    const won = results.filter((result) => result.status === "fulfilled");
    expect(won).toHaveLength(1);
    const {
      state: decision,
      actor: by,
      decided_at,
      note,
    } = (won[0] as PromiseFulfilledResult<QuestionRow>).value;
    for (const result of results) {
      if (result.status === "fulfilled") continue;
      const error = result.reason as FairleadError;
      expect(error.code).toBe("question_decided");
      expect(error.details).toEqual({
        request_id: question.request_id,
        decision,
        actor: by,
        decided_at,
        note,
      });
    }
    expect(
      (await everything((worlds[0] as World).log, session)).filter(
        (event) => event.type === "runtime.question.decided",
      ),
    ).toHaveLength(1);
  });

  it("waits through restarts, and stays decided", async () => {
    const folder = temporaryFolder();
    const time = handTime();
    const open = (mark: string) =>
      world({ time, mark, store: openSqliteStore({ dir: folder.path, clock: time.clock }) });
    try {
      const one = open("a");
      const { question } = await asked(one, { shown: { a: 1 } });
      await one.log.close();
      const two = open("b");
      expect((await two.services.questions.list(ADA, { state: "pending" })).rows).toEqual([
        { ...question, session_title: null },
      ]);
      const results = await Promise.allSettled(
        Array.from({ length: 20 }, (_, i) =>
          two.services.questions.decide(actor("admin", `op${i}`), question.request_id, {
            decision: "denied",
          }),
        ),
      );
      expect(results.filter((result) => result.status === "fulfilled")).toHaveLength(1);
      await two.log.close();
      const three = open("c");
      expect(
        await errorOf(three.services.questions.decide(ADA, question.request_id, { decision: "approved" })),
      ).toMatchObject({ code: "question_decided", details: { decision: "denied" } });
      expect((await three.services.questions.get(ADA, question.request_id)).state).toBe("denied");
      await three.log.close();
    } finally {
      folder.remove();
    }
  });

  it("is decided by operators and admins of its project, by no one else", async () => {
    const w = world();
    const bot = actor("agent", "bot", "home");
    const session = (await w.services.sessions.create(bot, {})).session_id;
    const { request_id } = await w.services.questions.ask(session, ASK);
    const before = (await w.log.stream(session))?.head_seq;
    const decide = (who: typeof ADA) =>
      codeOf(w.services.questions.decide(who, request_id, { decision: "approved" }));
    expect(await decide(bot)).toBe("forbidden");
    expect(await decide(actor("viewer", "vic", "home"))).toBe("forbidden");
    expect(await decide(actor("operator", "eve", "work"))).toBe("question_not_found");
    expect(await decide(actor("agent", "other", "home"))).toBe("question_not_found");
    expect(await codeOf(w.services.questions.get(actor("viewer", "vic", "work"), request_id))).toBe(
      "question_not_found",
    );
    expect(await codeOf(w.services.questions.decide(ADA, "apr_none", { decision: "approved" }))).toBe(
      "question_not_found",
    );
    expect(await codeOf(w.services.questions.decide(ADA, "ses_0001", { decision: "approved" }))).toBe(
      "question_not_found",
    );
    expect((await w.services.questions.get(bot, request_id)).state).toBe("pending");
    expect((await w.log.stream(session))?.head_seq).toBe(before);
    expect(
      (
        await w.services.questions.decide(actor("operator", "bob", "home"), request_id, {
          decision: "approved",
        })
      ).actor,
    ).toBe("bob");
  });

  it("changes nothing by a decision that does not fit", async () => {
    const w = world();
    const { session, question } = await asked(w);
    const before = (await w.log.stream(session))?.head_seq;
    let deep: unknown = 1;
    for (let i = 0; i < 20_000; i++) deep = [deep];
    const { decide, ask } = w.services.questions;
    expect(await codeOf(decide(ADA, question.request_id, { decision: "edited" }))).toBe("bad_request");
    expect(await codeOf(decide(ADA, question.request_id, { decision: "edited", edited: deep }))).toBe(
      "bad_request",
    );
    expect(await codeOf(ask(session, { ...ASK, shown: deep }))).toBe("bad_request");
    expect(await codeOf(ask(session, { ...ASK, expires_at: "soon" }))).toBe("bad_request");
    expect(await codeOf(ask("ses_none", ASK))).toBe("session_not_found");
    expect((await w.log.stream(session))?.head_seq).toBe(before);
  });

  it("expires when its time has come, however one looks at it", async () => {
    const w = world();
    const expires_at = new Date(w.time.clock.now() + 5_000).toISOString();
    const all = await Promise.all(Array.from({ length: 4 }, () => asked(w, { expires_at })));
    const [read, listed, decided, swept] = all.map(({ question }) => question.request_id) as [
      string,
      string,
      string,
      string,
    ];
    const { questions } = w.services;
    await w.time.advance(4_999);
    expect(await questions.expireDue()).toBe(0);
    expect(await questions.nextDue()).toBe(w.time.clock.now() + 1);
    await w.time.advance(1);
    expect(await questions.get(ADA, read)).toMatchObject({
      state: "expired",
      actor: "fairlead",
      decided_at: expires_at,
    });
    expect(await errorOf(questions.decide(ADA, decided, { decision: "approved" }))).toMatchObject({
      code: "question_expired",
      details: { decision: "expired" },
    });
    const session = all[1]?.session as SessionId;
    expect((await questions.list(ADA, { state: "pending", session_id: session })).rows).toEqual([]);
    expect((await questions.list(ADA, { session_id: session })).rows).toMatchObject([
      { request_id: listed, state: "expired" },
    ]);
    expect(await questions.expireDue()).toBe(1);
    expect((await questions.get(ADA, swept)).state).toBe("expired");
    expect(await questions.nextDue()).toBeNull();
  });

  it("is listed newest first, by state, kind and session, in scope", async () => {
    const w = world();
    const one = await asked(w);
    await w.time.advance(10);
    const two = await asked(w, { kind: "user_input" });
    await w.services.questions.decide(ADMIN, two.question.request_id, {
      decision: "approved",
      answer: "blue",
    });
    const list = async (query: Parameters<typeof w.services.questions.list>[1], who = ADA) =>
      (await w.services.questions.list(who, query)).rows.map((row) => row.request_id);
    expect(await list({})).toEqual([two.question.request_id, one.question.request_id]);
    expect(await list({ state: "pending" })).toEqual([one.question.request_id]);
    expect(await list({ kind: "user_input" })).toEqual([two.question.request_id]);
    expect(await list({ session_id: one.session })).toEqual([one.question.request_id]);
    expect(await list({}, actor("viewer", "eve", "work"))).toEqual([]);
    expect(
      await codeOf(w.services.questions.list(actor("viewer", "eve", "work"), { session_id: one.session })),
    ).toBe("session_not_found");
    const page = await w.services.questions.list(ADA, { limit: 1 });
    expect(
      (await w.services.questions.list(ADA, { limit: 1, cursor: page.cursor as string })).rows.map(
        (row) => row.request_id,
      ),
    ).toEqual([one.question.request_id]);
  });
});
