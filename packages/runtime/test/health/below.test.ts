import type { HealthPolicy, SessionId } from "@fairlead/contract";
import { describe, expect, it } from "vitest";
import type { Rule, Step } from "../../src/models/script.ts";
import { delegate } from "../../src/tools/delegate.ts";
import { updateTasks } from "../../src/tools/update-tasks.ts";
import { ADA, gated, look, tool, writer } from "../golden/scene.ts";
import { delegated, delegating } from "../services/delegation-support.ts";
import { handTime, settle } from "../support/world.ts";

const FAIL: Step = { call: "fails", with: { what: "it" } };
const LOOK: Step = { call: "look", with: { what: "door" } };
const SLOW: Step = { call: "slow", with: { what: "it" } };
const PLAN: Step = {
  call: "update_tasks",
  with: { tasks: [{ id: "1", title: "Paint.", status: "pending" }] },
};
const works = (when: string, ...rounds: readonly (readonly Step[])[]): Rule => ({
  when,
  rounds: [...rounds.map((round) => [...round]), [{ say: "Worked." }]],
});

async function working(health: HealthPolicy, ...script: readonly Rule[]) {
  const time = handTime();
  const wait = gated({ timeoutMs: 24 * 3_600_000 });
  const play = await delegating({
    time,
    script,
    tools: [
      delegate(),
      look,
      writer,
      wait,
      updateTasks({ clock: time.clock }),
      tool("fails", async () => ({ result: "no", text: "no", failed: true }), { parallel: false }),
      tool(
        "slow",
        async () => {
          await time.advance(61_000);
          return { result: "at last" };
        },
        { timeoutMs: 120_000, parallel: false },
      ),
    ],
  });
  const { w } = play;
  const { session_id: id } = await w.services.kernel.start(ADA, { task: "begin", policy: { health } });
  const row = async (session = id) => w.services.kernel.healthy(await w.services.sessions.get(ADA, session));
  return {
    ...play,
    id,
    time,
    wait,
    row,
    is: (...statuses: readonly string[]) => play.until(async () => statuses.includes((await row()).status)),
  };
}

type Case = readonly [string, HealthPolicy, readonly (readonly Step[])[]];

describe("a policy holds for what a session delegated", () => {
  const CASES = [
    ["max_failed_tool_calls", { max_failed_tool_calls: 1 }, [[FAIL], [FAIL]]],
    ["max_loop_warnings", { max_loop_warnings: 0 }, [[LOOK], [LOOK], [LOOK]]],
    ["max_repeated_plan_events", { max_repeated_plan_events: 0 }, [[PLAN], [PLAN]]],
    ["max_tool_latency_ms", { max_tool_latency_ms: 1_000 }, [[SLOW]]],
    ["max_events_without_evidence", { max_events_without_evidence: 0 }, [[FAIL]]],
    ["max_runtime_minutes", { max_runtime_minutes: 1 }, [[SLOW]]],
  ] as const satisfies readonly Case[];

  /** Enforced, with a sub-agent that waits with it. */
  async function crossed([budget, health, rounds]: Case, action: "pause" | "approval_request") {
    const play = await working({ ...health, action }, delegated({ task: "work" }), works("work", ...rounds));
    const { w, id, row, is, subagents, of } = play;
    await is(action === "pause" ? "paused" : "awaiting_approval");
    const child = (await subagents(id))[0]?.session_id as SessionId;
    await w.services.turns.recover();
    await play.until(async () => (await row(child)).status === "paused");
    expect(await of("runtime.request.completed", child)).toEqual([]);
    const { health: now } = await row();
    expect(now.policy?.enforcement).toMatchObject({ action, outcome: "open", crossed: [{ budget }] });
    expect(now.flags).toEqual(expect.arrayContaining(["waiting", "budget"]));
    // Time does not pass, and nothing moves by itself.
    await play.time.advance(60_000);
    await w.services.health.recordDue();
    await w.services.turns.recover();
    await settle();
    expect((await row(child)).status).toBe("paused");
    const said = async () =>
      (await of("runtime.policy.decision", id)).filter(({ subject }) => subject === "health_policy");
    return { ...play, child, said };
  }

  it.each(CASES)("all of it is paused, and goes on when it is resumed: %s", async (...one) => {
    const { w, id, row, is, of, child, said } = await crossed(one, "pause");
    await w.services.kernel.resume(ADA, id);
    await is("completed");
    expect(await of("runtime.request.completed", child)).toHaveLength(1);
    expect((await row()).health.policy?.enforcement).toMatchObject({ outcome: "resumed", by: "ada" });
    expect(await said()).toHaveLength(1);
    expect(w.reported).toEqual([]);
  });

  it.each(CASES)("a person is asked, and with a yes all of it goes on: %s", async (...one) => {
    const { w, id, row, is, of, child, said, pending } = await crossed(one, "approval_request");
    const [question, ...more] = await pending(id);
    expect([question?.session_id, question?.tool_name, more]).toEqual([id, "health_policy", []]);
    expect((await row()).state?.approval_request_id).toBe(question?.request_id);
    await w.services.questions.decide(ADA, question?.request_id ?? "", { decision: "approved" });
    await is("completed");
    expect(await of("runtime.request.completed", child)).toHaveLength(1);
    expect((await row()).health.policy?.enforcement).toMatchObject({ outcome: "approved", by: "ada" });
    expect(await said()).toHaveLength(1);
    expect(w.reported).toEqual([]);
  });

  it("a pause while a person is asked changes nothing: all of it waits for the decision", async () => {
    const { w, id, is, row, child, pending } = await crossed(CASES[0], "approval_request");
    await w.services.kernel.pause(ADA, id, "lunch");
    await is("paused");
    expect((await w.services.kernel.resume(ADA, id)).status).toBe("awaiting_approval");
    await w.services.turns.recover();
    await settle();
    expect((await row(child)).status).toBe("paused");
    const [{ request_id } = { request_id: "" }] = await pending(id);
    await w.services.questions.decide(ADA, request_id, { decision: "approved" });
    await is("completed");
    expect(w.reported).toEqual([]);
  });

  it("a no ends the session, and what it delegated", async () => {
    const { w, id, is, of, child, pending } = await crossed(CASES[0], "approval_request");
    const [{ request_id } = { request_id: "" }] = await pending(id);
    await w.services.questions.decide(ADA, request_id, { decision: "denied" });
    await is("failed");
    expect(await of("runtime.request.failed", id)).toMatchObject([{ code: "budget" }]);
    expect((await of("runtime.turn.ended", child)).at(-1)?.status).toBe("cancelled");
    expect(w.reported).toEqual([]);
  });

  it("where nobody may be asked, it is paused", async () => {
    const { w, is, id, row, pending, wait } = await working(
      { max_failed_tool_calls: 0 },
      delegated({ task: "work" }),
      works("work", [{ call: "wait", with: { what: "for it" } }], [FAIL]),
    );
    await w.services.sessions.configure(ADA, id, { approval_mode: "never" });
    wait.letGo({ result: "waited" });
    await is("paused");
    expect((await row()).health.policy?.enforcement).toMatchObject({ action: "pause" });
    expect(await pending(id)).toEqual([]);
  });

  it("of those side by side together, though none of them crosses it alone", async () => {
    const { w, id, row, is, subagents } = await working(
      { max_failed_tool_calls: 1, action: "pause" },
      delegated({ task: "one" }, { task: "two" }),
      works("one", [FAIL], [{ call: "wait", with: { what: "for it" } }]),
      works("two", [FAIL]),
    );
    await is("paused");
    expect((await row()).health.policy?.enforcement).toMatchObject({ crossed: [{ value: 2 }] });
    expect(await subagents(id)).toHaveLength(2);
    expect(w.reported).toEqual([]);
  });

  it("and what they did still counts when they are done", async () => {
    const { id, row, is, of } = await working(
      { max_failed_tool_calls: 1 },
      { when: "begin", rounds: [[{ call: "delegate", with: { task: "work" } }], [FAIL], [{ say: "Done." }]] },
      works("work", [FAIL]),
    );
    await is("awaiting_approval");
    expect((await of("runtime.subagent.event", id)).at(-1)?.measured).toEqual({ failed_tool_calls: 1 });
    expect((await row()).health.usage).toMatchObject({ failed_tool_calls: 2 });
    expect((await row()).health.policy?.enforcement).toMatchObject({
      crossed: [{ budget: "max_failed_tool_calls", value: 2 }],
    });
  });

  it("and a chat's sub-agent, which cannot wait, ends", async () => {
    const { say, until, of, subagents } = await delegating({
      script: [delegated({ task: "work" }), works("work", [FAIL])],
      tools: [delegate(), tool("fails", async () => ({ result: "no", text: "no", failed: true }))],
      settings: { policy: { health: { max_failed_tool_calls: 0 } } },
    });
    await say("begin");
    await until(async () => (await subagents())[0]?.status === "failed");
    const child = (await subagents())[0]?.session_id as SessionId;
    expect(await of("runtime.request.failed", child)).toMatchObject([{ code: "budget" }]);
  });
});

describe("the minutes of a session", () => {
  const minutes = async (play: Awaited<ReturnType<typeof working>>) =>
    ((await play.row()).health.usage as Readonly<Record<string, number>>)["runtime_minutes"];
  const waits = works("work", [{ call: "wait", with: { what: "for it" } }]);

  it("pass while its sub-agents work, and end by a timer when nobody drives it", async () => {
    const play = await working(
      { max_runtime_minutes: 5, action: "pause" },
      delegated({ task: "work" }),
      waits,
    );
    const { w, id, time, wait, is, of, subagents, row, until: soon } = play;
    await soon(async () => (await subagents(id)).length === 1);
    const child = (await subagents(id))[0]?.session_id as SessionId;
    await soon(async () => (await of("agent.tool.batch", child)).length === 1);
    await time.advance(4 * 60_000);
    expect(await minutes(play)).toBe(4);
    await w.services.health.recordDue();
    expect((await row()).status).toBe("running");
    const due = await w.services.health.nextDue();
    expect(due).toBe(Date.UTC(2026, 0, 1) + 5 * 60_000);
    await time.advance(60_000);
    await w.services.health.recordDue();
    await w.services.turns.recover();
    await is("paused");
    expect((await row()).health.policy?.enforcement).toMatchObject({
      action: "pause",
      crossed: [{ budget: "max_runtime_minutes", limit: 5, value: 5 }],
    });
    // Once, however often somebody looks.
    await w.services.health.recordDue();
    expect(
      (await of("runtime.policy.decision", id)).filter(({ outcome }) => outcome === "pause"),
    ).toHaveLength(1);
    wait.letGo({ result: "waited" });
    await soon(async () => (await row(child)).status === "paused");
    await time.advance(60 * 60_000);
    expect(await minutes(play)).toBe(5);
    await w.services.kernel.resume(ADA, id);
    await is("completed");
    expect(w.reported).toEqual([]);
  });

  it("do not pass while all that work for it wait for a person", async () => {
    const play = await working(
      { max_runtime_minutes: 5 },
      delegated({ task: "ask" }),
      works("ask", [{ call: "change", with: { what: "flag" } }]),
    );
    const { w, id, time, pending, is, until: soon } = play;
    await soon(async () => (await pending(id)).length === 1);
    await time.advance(60 * 60_000);
    await w.services.health.recordDue();
    expect(await minutes(play)).toBe(0);
    await w.services.questions.decide(ADA, (await pending(id))[0]?.request_id ?? "", {
      decision: "approved",
    });
    await is("completed");
    expect(w.reported).toEqual([]);
  });

  it.each([
    ["approved", "completed", 2],
    ["denied", "failed", 1],
  ] as const)("are held before each wave: %s", async (decision, end, ran) => {
    const play = await working(
      { max_runtime_minutes: 1 },
      { when: "begin", rounds: [[SLOW, SLOW], [{ say: "Done." }]] },
    );
    const { w, id, pending, is, of } = play;
    await is("awaiting_approval");
    expect(await of("agent.tool.batch", id)).toHaveLength(1);
    const [question] = await pending(id);
    expect(question).toMatchObject({ tool_name: "health_policy" });
    await w.services.questions.decide(ADA, question?.request_id ?? "", { decision });
    await is("completed", "failed", "awaiting_approval");
    for (const { request_id } of await pending(id))
      await w.services.questions.decide(ADA, request_id, { decision });
    await is(end);
    expect(await of("agent.tool.batch", id)).toHaveLength(ran);
    expect(w.reported).toEqual([]);
  });
});
