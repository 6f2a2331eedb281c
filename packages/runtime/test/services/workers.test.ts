import type { SessionId } from "@fairlead/contract";
import { describe, expect, it } from "vitest";
import { openMemoryStore } from "../../src/stores/memory/open.ts";
import { questionExpiry } from "../../src/workers/question-expiry.ts";
import { turnRecovery } from "../../src/workers/turn-recovery.ts";
import { actor, everything, handTime, settle, world } from "../support/world.ts";

const ADA = actor("operator", "ada");
const ASK = { kind: "approval", tool_name: "write_file", reason: "It writes." } as const;

describe("question expiry", () => {
  it("wakes when the next question is due, also one asked later or due earlier, and sleeps otherwise", async () => {
    const w = world();
    const { questions, sessions } = w.services;
    const { session_id } = await sessions.create(ADA, {});
    const due = (ms: number) => ({ ...ASK, expires_at: new Date(w.time.clock.now() + ms).toISOString() });
    let looks = 0;
    const counted = { ...questions, expireDue: () => ((looks += 1), questions.expireDue()) };
    const worker = questionExpiry({
      questions: counted,
      clock: w.time.clock,
      timers: w.time.timers,
      report: (error) => w.reported.push(error),
    });
    const slow = await questions.ask(session_id, due(30_000));
    await worker.start();
    expect(looks).toBe(1);
    const quick = await questions.ask(session_id, due(2_000));
    const past = await questions.ask(session_id, due(-1));
    await w.time.advance(0);
    const stateOf = async (id: string) => (await w.log.row<{ state: string }>("question", id))?.state;
    expect([await stateOf(past.request_id), await stateOf(quick.request_id)]).toEqual(["expired", "pending"]);
    await w.time.advance(2_000);
    expect([await stateOf(quick.request_id), await stateOf(slow.request_id)]).toEqual(["expired", "pending"]);
    await w.time.advance(28_000);
    expect(await stateOf(slow.request_id)).toBe("expired");
    const before = looks;
    await w.time.advance(600_000);
    expect(looks - before).toBeLessThanOrEqual(11);
    await worker.stop();
    expect(w.time.waiting()).toBe(0);
    expect(w.reported).toEqual([]);
  });

  it("reports a store that is away and tries again", async () => {
    const time = handTime();
    const reported: unknown[] = [];
    let away = true;
    const questions = {
      expireDue: async () => {
        if (away) throw new Error("away");
        return 0;
      },
      nextDue: async () => null,
      onAsked: () => () => {},
    };
    const worker = questionExpiry({
      questions,
      clock: time.clock,
      timers: time.timers,
      lookMs: 1_000,
      report: (error) => reported.push(error),
    });
    await worker.start();
    await time.advance(2_500);
    expect(reported).toHaveLength(3);
    away = false;
    await time.advance(10_000);
    expect(reported).toHaveLength(3);
    await worker.stop();
  });
});

describe("turn recovery", () => {
  it("goes on, in time, with the turns of a process that died", async () => {
    const time = handTime();
    const store = openMemoryStore({ clock: time.clock });
    const dead = world({
      time,
      store,
      mark: "a",
      steps: [{ hang: true }],
      wrap: (log) => ({ ...log, renewLease: () => new Promise<never>(() => {}) }),
    });
    const { session_id } = await dead.services.sessions.create(ADA, {});
    await dead.services.turns.start(ADA, session_id, { input: "Hi" });
    await settle();
    const alive = world({ time, store, mark: "b" });
    const worker = turnRecovery({
      turns: alive.services.turns,
      clock: time.clock,
      timers: time.timers,
      report: (error) => alive.reported.push(error),
    });
    await worker.start();
    const open = async (id: SessionId) => (await alive.services.sessions.get(ADA, id)).turn_id !== null;
    expect(await open(session_id)).toBe(true);
    await time.advance(20_000);
    expect(await open(session_id)).toBe(false);
    const events = await everything(alive.log, session_id);
    expect(events.filter((event) => event.type === "runtime.turn.resumed")).toMatchObject([
      { data: { attempt: 2, reason: "The process that drove it is gone." } },
    ]);
    expect(events.filter((event) => event.type === "runtime.turn.ended")).toMatchObject([
      { data: { status: "completed" } },
    ]);
    await worker.stop();
    expect(alive.reported).toEqual([]);
  });
});
