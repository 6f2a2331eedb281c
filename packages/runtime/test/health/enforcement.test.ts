import type { HealthPolicy } from "@fairlead/contract";
import { describe, expect, it } from "vitest";
import type { Step } from "../../src/models/script.ts";
import { updateTasks } from "../../src/tools/update-tasks.ts";
import { look, tool } from "../golden/scene.ts";
import { ADA, DONE, LOOK, model, type Stage } from "../kernel/support.ts";
import { handTime, type HandTime } from "../support/world.ts";
import { held } from "./support.ts";

const FAIL: Step = { call: "fails", with: { what: "it" } };
const SLOW: Step = { call: "slow", with: { what: "it" } };
const PLAN: Step = {
  call: "update_tasks",
  with: { tasks: [{ id: "1", title: "Paint.", status: "pending" }] },
};
const used = (tokens: number): Step => ({ usage: { input_tokens: tokens, output_tokens: 0 } });

/** What crosses each budget, and what is done after it. */
const CASES: Readonly<Record<string, { health: HealthPolicy; rounds: readonly (readonly Step[])[] }>> = {
  min_score: { health: { min_score: 95 }, rounds: [[LOOK], [LOOK], [LOOK], [DONE]] },
  max_runtime_minutes: { health: { max_runtime_minutes: 1 }, rounds: [[SLOW], [DONE]] },
  max_total_tokens: { health: { max_total_tokens: 2_000 }, rounds: [[used(1_990), LOOK], [DONE]] },
  max_cost_usd: { health: { max_cost_usd: 2 }, rounds: [[used(1_999_990), LOOK], [DONE]] },
  max_context_percent: { health: { max_context_percent: 2 }, rounds: [[DONE]] },
  max_failed_tool_calls: { health: { max_failed_tool_calls: 0 }, rounds: [[FAIL], [DONE]] },
  max_loop_warnings: { health: { max_loop_warnings: 0 }, rounds: [[LOOK], [LOOK], [LOOK], [DONE]] },
  max_repeated_plan_events: {
    health: { max_repeated_plan_events: 0 },
    rounds: [[PLAN], [PLAN], [DONE]],
  },
  // The slow one is not the last.
  max_tool_latency_ms: { health: { max_tool_latency_ms: 1_000 }, rounds: [[SLOW, LOOK], [DONE]] },
  max_events_without_evidence: { health: { max_events_without_evidence: 0 }, rounds: [[FAIL], [DONE]] },
};

function options(time: HandTime, rounds: readonly (readonly Step[])[]) {
  const scripted = { ...model(...rounds), contextTokens: 5_000, price: { input: 1, output: 1 } };
  return {
    time,
    models: [scripted],
    tools: [
      look,
      updateTasks({ clock: time.clock }),
      tool("fails", async () => ({ result: "no", text: "no", failed: true })),
      tool(
        "slow",
        async () => {
          await time.advance(61_000);
          return { result: "at last" };
        },
        { timeoutMs: 120_000 },
      ),
    ],
  };
}

async function play(name: string, more: HealthPolicy = {}): Promise<Stage> {
  const { health, rounds } = CASES[name] ?? { health: {}, rounds: [] };
  return held({ health: { ...health, ...more }, ...options(handTime(), rounds) });
}

const NAMES = Object.keys(CASES);

describe("a session that crosses what its policy allows", () => {
  it.each(NAMES)("asks a person, and goes on with a yes: %s", async (budget) => {
    const at = await play(budget);
    const asked = await at.until("awaiting_approval");
    expect(asked.state?.approval_request_id).toMatch(/^apr_/);
    expect(asked.health.flags).toEqual(expect.arrayContaining(["waiting", "budget"]));
    expect(asked.health.policy?.enforcement).toMatchObject({
      action: "approval_request",
      outcome: "open",
      request_id: asked.state?.approval_request_id,
      crossed: [{ budget }],
    });
    await at.decide("approved");
    const done = await at.until("completed");
    expect(done.health.policy?.enforcement).toMatchObject({ outcome: "approved", by: "ada" });
    expect(await at.data("runtime.question.asked")).toHaveLength(1);
    expect(at.w.reported).toEqual([]);
  });

  it.each(NAMES)("is paused, and goes on when somebody lets it: %s", async (budget) => {
    const at = await play(budget, { action: "pause" });
    const paused = await at.until("paused");
    expect(paused.health.policy?.enforcement).toMatchObject({
      action: "pause",
      outcome: "open",
      crossed: [{ budget }],
    });
    expect(await at.data("runtime.question.asked")).toEqual([]);
    await at.w.services.kernel.resume(ADA, at.session);
    const done = await at.until("completed");
    expect(done.health.policy?.enforcement).toMatchObject({ outcome: "resumed", by: "ada" });
    expect(at.w.reported).toEqual([]);
  });

  it("ends when a person says no, and the model is asked no more", async () => {
    const at = await play("max_failed_tool_calls");
    await at.until("awaiting_approval");
    const before = (await at.data("agent.output.completed")).length;
    await at.decide("denied");
    const failed = await at.until("failed");
    expect(await at.data("runtime.request.failed")).toMatchObject([{ code: "budget" }]);
    expect(failed.health.policy?.enforcement).toMatchObject({ outcome: "denied" });
    expect(await at.data("agent.output.completed")).toHaveLength(before);
  });

  it("is paused where nobody may be asked", async () => {
    const { health, rounds } = CASES["max_failed_tool_calls"] ?? { health: {}, rounds: [] };
    const at = await held({
      health,
      ...options(handTime(), rounds),
      start: { approval_mode: "never" },
    });
    expect((await at.until("paused")).health.policy?.enforcement).toMatchObject({ action: "pause" });
  });

  it("is let go on as far again, and no further", async () => {
    const time = handTime();
    const at = await held({
      health: { max_failed_tool_calls: 1 },
      ...options(time, [[FAIL], [FAIL], [FAIL], [FAIL], [DONE]]),
    });
    await at.until("awaiting_approval");
    expect(await at.data("agent.tool.outcome")).toHaveLength(2);
    await at.decide("approved");
    await at.until("awaiting_approval");
    // 2 were met; a yes allows 1 more than that.
    expect(await at.data("agent.tool.outcome")).toHaveLength(4);
  });

  it("has its question withdrawn when it is cancelled", async () => {
    const at = await play("max_failed_tool_calls");
    await at.until("awaiting_approval");
    await at.w.services.kernel.cancel(ADA, at.session);
    await at.until("cancelled");
    expect(await at.data("runtime.question.decided")).toMatchObject([{ decision: "expired" }]);
  });

  it("goes on once the policy is moved, and is held by a stricter one at its next step", async () => {
    const at = await play("max_failed_tool_calls", { action: "pause" });
    await at.until("paused");
    await at.w.services.kernel.setPolicy(ADA, at.session, { health: { max_failed_tool_calls: 5 } });
    await at.w.services.kernel.resume(ADA, at.session);
    expect((await at.until("completed")).health.policy?.health).toEqual({
      max_failed_tool_calls: 5,
      action: "pause",
    });
  });
});
