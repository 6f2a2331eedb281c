import type { SessionId } from "@fairlead/contract";
import { describe, expect, it } from "vitest";
import { scriptedModel } from "../../src/models/scripted.ts";
import { delegate } from "../../src/tools/delegate.ts";
import { kernelExpiry } from "../../src/workers/kernel-expiry.ts";
import { codeOf, settle } from "../support/world.ts";
import { ADA, BUSY, CHANGE, DONE, model, shaky, stage } from "./support.ts";

const HOUR = 3_600_000;
const START = Date.UTC(2026, 0, 1);
const at = (ms: number) => new Date(START + ms).toISOString();

describe("background work whose time is over", () => {
  it("is not begun, and fails with a checkpoint that says so", async () => {
    const play = await stage({}, { expires_at: at(-HOUR) });
    const row = await play.until("failed");
    expect(await play.statuses()).toEqual(["queued", "failed"]);
    expect(await play.checkpoints()).toEqual(["queued", "expired"]);
    expect(row.state).toMatchObject({
      attempt_count: 0,
      last_error: expect.stringContaining("time was over"),
    });
    expect(row.state?.ended_at).not.toBeNull();
    expect(await play.data("runtime.request.started")).toEqual([]);
    // What it was to do is heard by nobody.
    expect(await play.data("runtime.input.taken")).toMatchObject([{ dropped: "The session has ended." }]);
    expect(await play.w.services.turns.recover()).toBe(0);
  });

  it("is not gone on with after a failure", async () => {
    const play = await stage({ models: [shaky(1, BUSY, DONE)] }, { expires_at: at(1_000) });
    await play.until("recovering");
    await play.w.time.advance(2_000);
    await play.w.services.turns.recover();
    const row = await play.until("failed");
    expect(row.state?.attempt_count).toBe(1);
    expect(await play.checkpoints()).toEqual(["queued", "recovering", "step", "expired"]);
    expect(await play.data("runtime.request.failed")).toMatchObject([{ code: "expired" }]);
  });

  it("waits no longer for a person, when the worker looks", async () => {
    const play = await stage({ models: [model([CHANGE], [DONE])] });
    const { kernel, questions } = play.w.services;
    await play.until("awaiting_approval");
    const { clock, timers } = play.w.time;
    const worker = kernelExpiry({
      kernel,
      clock,
      timers,
      report: (error) => void play.w.reported.push(error),
    });
    await worker.start();
    // Set while the worker sleeps.
    await kernel.setPolicy(ADA, play.session, { expires_at: at(HOUR) });
    await play.w.time.advance(HOUR - 1);
    expect((await play.row()).status).toBe("awaiting_approval");
    await play.w.time.advance(1);
    await play.until("failed");
    expect((await questions.list(ADA, { state: "pending" })).rows).toEqual([]);
    expect(await play.data("agent.tool.outcome")).toEqual([]);
    expect((await play.checkpoints()).at(-1)).toBe("expired");
    await worker.stop();
    expect(play.w.reported).toEqual([]);
  });

  it.each(["1960-01-01T00:00:00.000Z", "1970-01-01T00:00:00.000Z"])(
    "waits no longer either where that time is %s",
    async (expires_at) => {
      const play = await stage({ models: [model([CHANGE], [DONE])] });
      const { kernel } = play.w.services;
      await play.until("awaiting_approval");
      await kernel.setPolicy(ADA, play.session, { expires_at });
      expect(await kernel.expireDue()).toBe(1);
      await play.until("failed");
      expect((await play.checkpoints()).at(-1)).toBe("expired");
    },
  );

  it("fails at once when somebody resumes it after a pause, also where a person is still asked", async () => {
    const play = await stage({ models: [model([CHANGE], [DONE])] }, { expires_at: at(HOUR) });
    const { kernel, questions } = play.w.services;
    await play.until("awaiting_approval");
    await kernel.pause(ADA, play.session);
    await play.until("paused");
    await play.w.time.advance(2 * HOUR);
    expect((await play.row()).status).toBe("paused");
    await kernel.resume(ADA, play.session);
    const row = await play.until("failed");
    expect(row.state?.last_error).toContain("time was over");
    expect((await play.checkpoints()).at(-1)).toBe("expired");
    expect(await play.data("runtime.request.failed")).toMatchObject([{ code: "expired" }]);
    expect((await questions.list(ADA, { state: "pending" })).rows).toEqual([]);
    expect(await play.data("agent.tool.batch")).toEqual([]);
    expect(play.w.reported).toEqual([]);
  });

  it("waits no longer for its sub-agents, and ends them", async () => {
    const rules = [
      { when: "hang", do: [{ hang: true as const }] },
      {
        when: "begin",
        rounds: [[{ call: "delegate", with: { task: "hang" } }], [DONE]],
      },
    ];
    const play = await stage(
      { tools: [delegate()], models: [scriptedModel({ script: { rules } })] },
      { task: "begin", expires_at: at(1_000) },
    );
    const { kernel, details, sessions } = play.w.services;
    while ((await play.row()).state?.resume_context?.["kind"] !== "delegated") await settle();
    expect((await play.row()).status).toBe("running");
    expect(await kernel.nextDue()).toBe(START + 1_000);
    const [child] = (await details.chat(ADA, play.session)).subagents;
    await play.w.time.advance(1_000);
    expect(await kernel.expireDue()).toBe(1);
    await play.until("failed");
    expect(await play.data("runtime.request.failed")).toMatchObject([{ code: "expired" }]);
    expect((await play.checkpoints()).at(-1)).toBe("expired");
    expect((await sessions.get(ADA, child?.session_id as SessionId)).status).not.toBe("running");
    expect(await kernel.nextDue()).toBeNull();
  });

  it("stays paused until somebody wants it to go on, and may be given more time", async () => {
    const play = await stage({ limits: { background: 0 } }, { expires_at: at(HOUR) });
    const { kernel } = play.w.services;
    await kernel.pause(ADA, play.session);
    await play.w.time.advance(2 * HOUR);
    expect(await kernel.expireDue()).toBe(0);
    expect((await play.row()).status).toBe("paused");
    await kernel.setPolicy(ADA, play.session, { expires_at: null });
    await kernel.resume(ADA, play.session);
    expect(await kernel.expireDue()).toBe(0);
    expect((await play.row()).status).toBe("queued");
    await kernel.setPolicy(ADA, play.session, { expires_at: at(HOUR) });
    expect(await kernel.expireDue()).toBe(1);
    expect((await play.until("failed")).state?.attempt_count).toBe(0);
  });

  it("is not cut off while it runs", async () => {
    const play = await stage({}, { expires_at: at(HOUR) });
    await play.until("completed");
    await play.w.time.advance(2 * HOUR);
    expect(await play.w.services.kernel.expireDue()).toBe(0);
    expect(await play.w.services.kernel.nextDue()).toBeNull();
    expect((await play.row()).status).toBe("completed");
  });
});

describe("what background work is held to", () => {
  it("is changed in parts, and holds over what is said by who has not heard of it", async () => {
    const policy = { health: { max_cost_usd: 1, action: "pause" as const } };
    const free = { ...model([CHANGE], [DONE]), price: { input: 0, output: 0 } };
    const play = await stage({ models: [free] }, { policy, metadata: { ticket: 7 } });
    await play.until("awaiting_approval");
    const { kernel } = play.w.services;
    expect((await play.row()).health.policy).toMatchObject({ health: { max_cost_usd: 1 } });
    const row = await kernel.setPolicy(ADA, play.session, {
      health: { max_total_tokens: 5_000_000, max_cost_usd: null },
      max_retries: 7,
    });
    expect(row.state).toMatchObject({
      max_retries: 7,
      metadata: { ticket: 7, policy: { health: { max_total_tokens: 5_000_000, action: "pause" } } },
    });
    expect(row.health.policy?.health).toEqual({ max_total_tokens: 5_000_000, action: "pause" });
    await play.decide("approved");
    const done = await play.until("completed");
    expect(done.state).toMatchObject({ max_retries: 7, metadata: row.state?.metadata });
    expect(await codeOf(kernel.setPolicy(ADA, play.session, { max_retries: 1 }))).toBe("session_ended");
  });

  it("can be taken away", async () => {
    const play = await stage({ limits: { background: 0 } }, { policy: { health: { min_score: 50 } } });
    await settle();
    const row = await play.w.services.kernel.setPolicy(ADA, play.session, { health: null });
    expect(row.health.policy?.health).toEqual({});
    expect(row.state?.metadata).toEqual({ policy: {} });
  });
});
