import type { HealthPolicy, SessionId } from "@fairlead/contract";
import { describe, expect, it } from "vitest";
import type { Step } from "../../src/models/script.ts";
import { delegate } from "../../src/tools/delegate.ts";
import { tool } from "../golden/scene.ts";
import { ADA, DONE, LOOK, model, type Stage } from "../kernel/support.ts";
import { delegated, delegating } from "../services/delegation-support.ts";
import { codeOf, settle, world } from "../support/world.ts";
import { held } from "./support.ts";

const FAIL: Step = { call: "fails", with: { what: "it" } };
const fails = tool("fails", async () => ({ result: "no", text: "no", failed: true }), { parallel: false });

/** Three calls have failed, one more than it may. */
async function asked(more: HealthPolicy = {}, ...next: readonly Step[][]): Promise<Stage> {
  const at = await held({
    health: { max_failed_tool_calls: 2, ...more },
    models: [model([FAIL], [FAIL], [FAIL], ...next, [DONE])],
    tools: [fails],
  });
  await at.until("awaiting_approval", "paused");
  return at;
}

const set = (at: Stage, health: Parameters<typeof at.w.services.kernel.setPolicy>[2]["health"]) =>
  at.w.services.kernel.setPolicy(ADA, at.session, health === undefined ? {} : { health });

const pending = async (at: Stage) =>
  (await at.w.services.questions.list(ADA, { state: "pending", session_id: at.session })).rows;

describe("a limit that is set anew while a person is asked about it", () => {
  it.each([
    ["raised", { max_failed_tool_calls: 9 }],
    ["taken away", { max_failed_tool_calls: null }],
    ["taken away with all others", null],
  ] as const)("and %s withdraws the question, and the session goes on", async (_, health) => {
    const at = await asked({}, [FAIL]);
    const before = await at.row();
    await set(at, health);
    const done = await at.until("completed");
    expect(await at.data("runtime.question.decided")).toMatchObject([
      { request_id: before.state?.approval_request_id, decision: "expired", actor: "ada", moot: true },
    ]);
    const withdrawn = await at.w.services.questions.get(ADA, before.state?.approval_request_id ?? "");
    expect(withdrawn).toMatchObject({ state: "expired", actor: "ada", moot: true });
    expect(await at.data("runtime.question.asked")).toHaveLength(1);
    expect(done.health.policy?.enforcement).toMatchObject({ outcome: "moved", by: "ada", crossed: [] });
    expect(done.health.flags).not.toContain("budget");
    expect(at.w.reported).toEqual([]);
  });

  it.each([
    ["lowered", 1],
    ["made the strictest there is", 0],
  ])("and %s asks anew, by the limit that holds now", async (_, limit) => {
    const at = await asked();
    await set(at, { max_failed_tool_calls: limit });
    const again = await at.until("awaiting_approval");
    const [question, ...more] = await pending(at);
    expect(more).toEqual([]);
    expect(question?.shown).toMatchObject({
      crossed: [{ budget: "max_failed_tool_calls", limit, value: 3 }],
    });
    expect(again.state?.approval_request_id).toBe(question?.request_id);
    expect(again.health.policy?.enforcement).toMatchObject({ outcome: "open", crossed: [{ limit }] });
    // The model was asked for nothing in between.
    expect(await at.data("agent.output.completed")).toHaveLength(3);
    await at.decide("approved");
    await at.until("completed");
  });

  it("and the action changed with it is held to as it now says", async () => {
    const at = await asked();
    await set(at, { max_failed_tool_calls: 1, action: "pause" });
    const paused = await at.until("paused");
    expect(await pending(at)).toEqual([]);
    expect(paused.health.policy?.enforcement).toMatchObject({ action: "pause", outcome: "open" });
  });

  it("leaves a question that is about another one too", async () => {
    const at = await asked({ max_events_without_evidence: 2 });
    const [question] = await pending(at);
    await set(at, { max_failed_tool_calls: 9 });
    expect((await at.row()).status).toBe("awaiting_approval");
    expect(await pending(at)).toMatchObject([{ request_id: question?.request_id }]);
    expect(await at.data("runtime.question.decided")).toEqual([]);
    await at.decide("approved");
    await at.until("completed");
  });

  it("leaves the question where the same limit is said again, and where the change is none", async () => {
    const at = await asked();
    await set(at, { max_failed_tool_calls: 2 });
    expect(await codeOf(set(at, undefined))).toBe("bad_request");
    await settle();
    expect((await at.row()).status).toBe("awaiting_approval");
    expect(await at.data("runtime.question.decided")).toEqual([]);
  });

  it("is not answered any more: who comes too late is told", async () => {
    const at = await asked();
    const [question] = await pending(at);
    await set(at, { max_failed_tool_calls: 9 });
    const late = at.w.services.questions.decide(ADA, question?.request_id ?? "", { decision: "denied" });
    expect(await codeOf(late)).toBe("question_expired");
    await at.until("completed");
  });

  it("does not move what was paused for it, and what it was paused for is over", async () => {
    const at = await asked({ action: "pause" });
    expect((await at.row()).health.flags).toContain("budget");
    const moved = await set(at, { max_failed_tool_calls: 9 });
    expect(moved.status).toBe("paused");
    expect(moved.health.flags).not.toContain("budget");
    expect(moved.health.policy?.enforcement).toMatchObject({ outcome: "moved" });
    await at.w.services.kernel.resume(ADA, at.session);
    await at.until("completed");
    // What was set holds: a resume adds nothing to it.
    expect((await at.row()).health.budget_pressure).toMatchObject({ max_failed_tool_calls: { limit: 9 } });
  });

  it("lets a chat go on", async () => {
    const w = world();
    const policy = { health: { max_total_tokens: 1 } };
    const { session_id } = await w.services.sessions.create(ADA, { policy });
    await w.services.turns.start(ADA, session_id, { input: "Hello there, how are you?" });
    for (let i = 0; i < 20; i++) await settle();
    expect((await w.services.questions.list(ADA, { state: "pending" })).rows).toHaveLength(1);
    await w.services.kernel.setPolicy(ADA, session_id, { health: { max_total_tokens: 1_000_000 } });
    for (let i = 0; i < 20; i++) await settle();
    const { turn_id, status } = await w.services.sessions.get(ADA, session_id);
    expect([turn_id, status]).toEqual([null, "idle"]);
    expect((await w.services.questions.list(ADA, { state: "pending" })).rows).toEqual([]);
  });

  it("lets all of it go on that was delegated", async () => {
    const rounds = [[FAIL], [FAIL], [FAIL], [{ say: "Worked." } as Step]];
    const play = await delegating({
      script: [delegated({ task: "work" }), { when: "work", rounds }],
      tools: [delegate(), fails],
    });
    const { w, until, of, subagents } = play;
    const policy = { health: { max_failed_tool_calls: 1 } };
    const { session_id: id } = await w.services.kernel.start(ADA, { task: "begin", policy });
    const is = (status: string, session: SessionId = id) =>
      until(async () => (await w.services.sessions.get(ADA, session)).status === status);
    await is("awaiting_approval");
    const child = (await subagents(id))[0]?.session_id as SessionId;
    await w.services.turns.recover();
    await is("paused", child);
    await w.services.kernel.setPolicy(ADA, id, { health: { max_failed_tool_calls: 9 } });
    await is("completed");
    expect(await of("runtime.request.completed", child)).toHaveLength(1);
    expect(await of("runtime.question.asked", id)).toHaveLength(1);
    expect(w.reported).toEqual([]);
  });
});

describe("a change of budgets", () => {
  it("sets what is given, keeps what is not, and takes away what is null", async () => {
    const at = await held({
      health: { max_total_tokens: 9_000, max_cost_usd: 3, action: "pause" },
      rounds: [[LOOK], [DONE]],
      limits: { background: 0 },
    });
    const now = async () => (await at.row()).health.policy?.health;
    await set(at, { max_cost_usd: 4, min_score: 20 });
    expect(await now()).toEqual({ max_total_tokens: 9_000, max_cost_usd: 4, min_score: 20, action: "pause" });
    await set(at, { max_total_tokens: null, action: null });
    expect(await now()).toEqual({ max_cost_usd: 4, min_score: 20 });
    await set(at, { max_cost_usd: null, min_score: null });
    expect(await now()).toEqual({});
    await set(at, { max_cost_usd: 5 });
    await set(at, null);
    expect(await now()).toEqual({});
    expect((await at.row()).state?.metadata).toEqual({ policy: {} });
  });

  it("holds over what is said by a driver that has not heard of it", async () => {
    const at = await held({ health: { max_total_tokens: 9_000 }, limits: { background: 0 } });
    const { state } = await at.row();
    await set(at, { max_total_tokens: 5_000 });
    const stale = { type: "runtime.session.state" as const, data: state as never };
    await at.w.log.append({ writes: [{ stream: at.session, events: [stale] }] });
    expect((await at.row()).health.policy?.health).toEqual({ max_total_tokens: 5_000 });
  });
});
