import type { SessionId } from "@fairlead/contract";
import { describe, expect, it } from "vitest";
import type { Step } from "../../src/models/script.ts";
import { scriptedModel } from "../../src/models/scripted.ts";
import { ADA } from "../golden/scene.ts";
import { delegating } from "../services/delegation-support.ts";
import { codeOf, handTime, settle } from "../support/world.ts";

const HOUR = 3_600_000;
const TOMORROW = "2026-01-02T00:00:00.000Z";
const used = (tokens: number): Step => ({ usage: { input_tokens: tokens, output_tokens: 0 } });
const LOOK: Step = { call: "look", with: { what: "door" } };

const RULES = [
  { when: "Delegate", rounds: [[{ call: "delegate", with: { task: "Dig." } }], [{ say: "Dug." }]] },
  { when: "Dig", rounds: [[used(20_000), LOOK], [{ say: "Deep." }]] },
  { when: "Work", rounds: [[used(20_000), LOOK], [{ say: "Worked." }]] },
];

/** A project whose budget is used by one call. */
async function place(tokens = 20_000) {
  const time = handTime();
  const budgets = { projects: { shop: { tokens } } };
  const play = await delegating({
    time,
    budgets,
    models: [scriptedModel({ script: { rules: RULES } as never })],
  });
  const { w, until } = play;
  const row = async (id: SessionId) => w.services.kernel.healthy(await w.services.sessions.get(ADA, id));
  /** What is looked for by whoever has nothing to do. */
  const lookAround = async () => {
    await w.services.turns.recover();
    await settle();
  };
  return {
    ...play,
    time,
    budgets,
    row,
    lookAround,
    start: async (task: string, health = {}) =>
      (await w.services.kernel.start(ADA, { task, project: "shop", policy: { health } })).session_id,
    is: (id: SessionId, ...of: readonly string[]) => until(async () => of.includes((await row(id)).status)),
    parked: (id: SessionId) =>
      until(async () => (await play.of("runtime.turn.ended", id)).at(-1)?.status === "parked"),
  };
}

describe("background work whose budget of the day is used", () => {
  it("is said to wait, and until when", async () => {
    const { start, parked, row, w } = await place();
    const id = await start("Work.");
    await parked(id);
    const { status, health } = await row(id);
    expect(status).toBe("queued");
    expect(health.flags).toEqual(["waiting"]);
    expect(health.recovery_hint).toContain("project shop");
    expect(health.recovery_hint).toContain(TOMORROW);
    expect(health.recovery_hint).toContain("resume");
    expect(w.reported).toEqual([]);
  });

  it("is tried again when somebody resumes it, and waits on where that changes nothing", async () => {
    const { w, start, parked, row, budgets, is, of, lookAround } = await place();
    const id = await start("Work.");
    await parked(id);
    const again = await w.services.kernel.resume(ADA, id, { reason: "Now." });
    expect(again.status).toBe("queued");
    await parked(id);
    expect((await row(id)).health.flags).toEqual(["waiting"]);
    expect(await of("agent.usage", id)).toHaveLength(1);
    // Somebody gives it more.
    budgets.projects.shop.tokens = 500_000;
    await w.services.kernel.resume(ADA, id);
    await is(id, "completed");
    const done = await row(id);
    expect(done.health.flags).toEqual([]);
    expect(done.state?.attempt_count).toBe(1);
    await lookAround();
    expect(await of("runtime.session.resuming", id)).toHaveLength(2);
    expect(w.reported).toEqual([]);
  });

  it("is refused a resume while it only waits for a process", async () => {
    const { w, of } = await delegating({ limits: { background: 0 } });
    const { session_id } = await w.services.kernel.start(ADA, { task: "Later." });
    expect(await codeOf(w.services.kernel.resume(ADA, session_id))).toBe("session_state");
    expect(await of("runtime.session.resuming", session_id)).toEqual([]);
  });
});

describe("a sub-agent whose budget of the day is used", () => {
  async function waiting(health = {}) {
    const play = await place();
    const id = await play.start("Delegate.", health);
    await play.until(async () => (await play.subagents(id)).length === 1);
    const child = (await play.subagents(id))[0]?.session_id as SessionId;
    await play.parked(child);
    return { ...play, id, child };
  }

  it("waits for tomorrow where it works for background work, which says so, and goes on by itself", async () => {
    const { w, id, child, row, time, is, of, subagents, lookAround } = await waiting();
    expect(await of("runtime.turn.ended", child)).toMatchObject([
      { status: "parked", waits: [{ kind: "timer", until: TOMORROW }] },
    ]);
    const { status, health } = await row(id);
    expect(status).toBe("running");
    expect(health.flags).toEqual(["waiting"]);
    expect(health.recovery_hint).toContain(TOMORROW);
    expect(await subagents(id)).toMatchObject([{ status: "waiting" }]);
    await time.advance(25 * HOUR);
    await lookAround();
    await is(id, "completed");
    expect(await subagents(id)).toMatchObject([{ status: "completed" }]);
    expect((await row(id)).health.flags).toEqual([]);
    expect(w.reported).toEqual([]);
  });

  it("says itself what it waits for, and until when, for as long as it does", async () => {
    const { id, child, row, time, is, lookAround } = await waiting();
    const own = await row(child);
    expect(own.status).toBe("queued");
    expect(own.state?.resume_context).toEqual({
      kind: "timer",
      until: TOMORROW,
      reason: "What project shop may use today is used.",
    });
    expect(own.health.flags).toEqual(["waiting"]);
    expect(own.health.recovery_hint).toBe(
      `What project shop may use today is used. It goes on by itself at ${TOMORROW}.`,
    );
    // Who delegated it says why, too.
    expect((await row(id)).health.recovery_hint).toContain("project shop");
    await time.advance(25 * HOUR);
    await lookAround();
    await is(id, "completed");
    const after = await row(child);
    expect(after.state?.resume_context ?? null).toBeNull();
    expect(after.health.flags).toEqual([]);
    expect(after.health.recovery_hint).toBeNull();
  });

  it("takes no minutes of the work that waits for it", async () => {
    const { w, id, row, time } = await waiting({ max_runtime_minutes: 30 });
    await time.advance(20 * HOUR);
    await w.services.health.recordDue();
    const { status, health } = await row(id);
    expect(status).toBe("running");
    expect(health.usage).toMatchObject({ runtime_minutes: 0 });
    expect(health.policy?.enforcement).toEqual({});
  });

  it("is tried again when somebody resumes the work", async () => {
    const { w, id, child, budgets, is, of, row } = await waiting();
    budgets.projects.shop.tokens = 500_000;
    await w.services.kernel.resume(ADA, id);
    await is(id, "completed");
    expect(await of("runtime.request.completed", child)).toHaveLength(1);
    expect((await row(id)).health.flags).toEqual([]);
    expect(w.reported).toEqual([]);
  });

  it("ends where a person waits for the answer", async () => {
    const { w, until, of } = await place();
    const { session_id } = await w.services.sessions.create(ADA, { project: "shop" });
    await w.services.turns.start(ADA, session_id, { input: "Delegate." });
    await until(async () => (await of("runtime.turn.ended", session_id)).at(-1)?.status === "failed");
    const ends = await of("runtime.subagent.event", session_id);
    expect(ends.at(-1)).toMatchObject({ status: "failed", reason: expect.stringContaining("(budget)") });
  });
});
