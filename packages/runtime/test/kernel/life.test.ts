import { describe, expect, it } from "vitest";
import { scriptedModel } from "../../src/models/scripted.ts";
import { gated } from "../golden/scene.ts";
import { codeOf, everything, settle } from "../support/world.ts";
import { ADA, BUSY, CHANGE, DONE, LOOK, REFUSED, model, shaky, stage } from "./support.ts";

describe("background work", () => {
  it("is queued, runs and is completed, and says every step of it", async () => {
    const play = await stage(
      { models: [model([LOOK], [DONE])] },
      { metadata: { ticket: 7 }, max_retries: 1 },
    );
    expect(play.first).toMatchObject({
      kind: "background",
      title: "Paint the fence.",
      health: { score: 100 },
    });
    const row = await play.until("completed");
    expect(await play.statuses()).toEqual(["queued", "running", "completed"]);
    expect(await play.checkpoints()).toEqual(["queued", "step", "step", "completed"]);
    const checkpoints = await play.data("runtime.session.checkpoint");
    expect(checkpoints.map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4]);
    expect(checkpoints[1]).toMatchObject({
      session_id: play.session,
      status: "completed",
      summary_text: "step-1 completed: look",
      resume_cursor: null,
    });
    expect(await play.data("agent.step.progress")).toMatchObject([
      { step_id: "step-1", status: "running", index: 1 },
      { step_id: "step-1", status: "completed", title: "look" },
      { step_id: "step-2", status: "running" },
      { step_id: "step-2", status: "completed", title: "answered" },
    ]);
    expect(row.state).toMatchObject({
      engine: "native",
      runner_kind: "native",
      attempt_count: 1,
      max_retries: 1,
      expires_at: null,
      process_id: null,
      last_error: null,
      metadata: { ticket: 7 },
      resume_context: null,
    });
    expect(row.state?.ended_at).toBe(row.state?.updated_at);
    expect(play.w.reported).toEqual([]);
  });

  it("leaves the run and its output as artifacts", async () => {
    const play = await stage();
    await play.until("completed");
    const { artifacts } = await play.w.services.details.session(ADA, play.session);
    expect(artifacts.map(({ kind }) => kind)).toEqual(["final_output", "agentic_run"]);
    expect(artifacts.map(({ preview }) => preview)).toEqual(["All done.", null]);
    expect(await play.data("runtime.artifact.created")).toMatchObject([
      {},
      { artifact: { content: "All done." } },
    ]);
  });

  it("waits for a person and goes on with the same run", async () => {
    const play = await stage({ models: [model([CHANGE], [DONE])] });
    const waiting = await play.until("awaiting_approval");
    expect(waiting.state?.approval_request_id).toMatch(/^apr_/);
    expect(waiting.health.flags).toEqual(["waiting"]);
    await play.decide("approved");
    const row = await play.until("completed");
    expect(await play.statuses()).toEqual(["queued", "running", "awaiting_approval", "running", "completed"]);
    expect(row.state).toMatchObject({ attempt_count: 1, approval_request_id: null });
    expect(await play.data("agent.tool.outcome")).toMatchObject([{ status: "ok" }]);
  });

  it("recovers from what may pass, at the place where it stopped", async () => {
    const play = await stage({ models: [shaky(2, BUSY, DONE)] });
    const first = await play.until("recovering");
    expect(first.state).toMatchObject({
      attempt_count: 1,
      last_error: "The model is out.",
      resume_context: { kind: "retry", code: "model_error" },
    });
    expect(first.health).toMatchObject({ flags: ["degraded"], score: 70 });
    await play.w.time.advance(2_000);
    await play.w.services.turns.recover();
    expect((await play.until("recovering")).state).toMatchObject({ attempt_count: 2 });
    // Twice as long.
    await play.w.time.advance(2_000);
    await play.w.services.turns.recover();
    await settle();
    expect((await play.row()).status).toBe("recovering");
    await play.w.time.advance(2_000);
    await play.w.services.turns.recover();
    const row = await play.until("completed");
    expect(row.state?.attempt_count).toBe(3);
    expect(await play.data("runtime.request.started")).toHaveLength(1);
    expect(await play.data("runtime.request.failed")).toEqual([]);
    expect(await play.checkpoints()).toEqual(["queued", "recovering", "recovering", "step", "completed"]);
  });

  it("fails when it has been tried as often as it may", async () => {
    const play = await stage({ models: [shaky(9, BUSY)] }, { max_retries: 1 });
    await play.until("recovering");
    await play.w.time.advance(2_000);
    await play.w.services.turns.recover();
    const row = await play.until("failed");
    expect(row.state).toMatchObject({ attempt_count: 2, last_error: "The model is out." });
    expect(await play.checkpoints()).toEqual(["queued", "recovering", "step", "failed"]);
  });

  it("has all its retries again when an operator lets it go on, and every attempt stays counted", async () => {
    const play = await stage({ models: [shaky(20, BUSY)] }, { max_retries: 1 });
    const { kernel, turns } = play.w.services;
    await play.until("recovering");
    await play.w.time.advance(2_000);
    await turns.recover();
    await play.until("failed");
    await kernel.resume(ADA, play.session);
    expect((await play.until("recovering")).state).toMatchObject({ attempt_count: 3, attempts_before: 2 });
    // The wait begins anew too.
    await play.w.time.advance(2_000);
    await turns.recover();
    expect((await play.until("failed")).state).toMatchObject({ attempt_count: 4, attempts_before: 2 });
    await kernel.resume(ADA, play.session);
    await play.until("recovering");
    // Paused while it waits to try again, and resumed: again, from there.
    await kernel.pause(ADA, play.session);
    await kernel.resume(ADA, play.session);
    expect((await play.until("recovering")).state).toMatchObject({ attempt_count: 6, attempts_before: 5 });
    expect(play.w.reported).toEqual([]);
  });

  it("has no more retries for a pause in its first run", async () => {
    const wait = gated();
    const rules = [{ rounds: [[{ call: "wait", with: { what: "it" } }], [BUSY]] }];
    const play = await stage(
      { models: [scriptedModel({ script: { rules } })], tools: [wait] },
      { max_retries: 1 },
    );
    const { kernel, turns } = play.w.services;
    while ((await play.data("agent.tool.batch")).length === 0) await settle();
    await kernel.pause(ADA, play.session);
    wait.letGo({ result: "waited" });
    await play.until("paused");
    await kernel.resume(ADA, play.session);
    expect((await play.until("recovering")).state).toMatchObject({ attempt_count: 1, attempts_before: 0 });
    await play.w.time.advance(2_000);
    await turns.recover();
    expect((await play.until("failed")).state).toMatchObject({ attempt_count: 2 });
  });

  it("is not tried again where nobody wants it to be", async () => {
    const play = await stage({ models: [shaky(9, BUSY)] }, { max_retries: 0 });
    await play.until("failed");
    expect((await play.row()).state?.attempt_count).toBe(1);
  });

  it("fails at once, and says why, where no attempt would help", async () => {
    const play = await stage({ models: [shaky(9, REFUSED)] });
    const row = await play.until("failed");
    expect(row.state).toMatchObject({ attempt_count: 1, last_error: "No such key." });
    expect(await play.statuses()).toEqual(["queued", "running", "failed"]);
    expect(await play.data("runtime.request.failed")).toMatchObject([{ code: "model_refused" }]);
    expect(await play.w.services.turns.recover()).toBe(0);
  });

  it("takes no turns of a chat, and can be steered", async () => {
    const steered = { when: "In green", do: [DONE] };
    const models = [scriptedModel({ script: { rules: [steered, { do: [CHANGE] }] } })];
    const play = await stage({ models });
    await play.until("awaiting_approval");
    const { turns } = play.w.services;
    const before = (await play.events()).length;
    expect(await codeOf(turns.start(ADA, play.session, { input: "And this" }))).toBe("session_background");
    expect(await codeOf(turns.queue(ADA, play.session, { input: "And this" }))).toBe("session_background");
    expect((await play.events()).length).toBe(before);
    await turns.steer(ADA, play.session, { input: "In green." });
    await play.decide("approved");
    await play.until("completed");
    expect(await play.data("runtime.input.taken")).toMatchObject([{ step: 2 }]);
  });

  it("is found by its key, its kind, its project and its state", async () => {
    const { w, session } = await stage({}, { project: "house" });
    const { kernel } = w.services;
    const other = await w.services.sessions.create(ADA, {});
    const ids = async (query: object) =>
      (await kernel.list(ADA, query)).rows.map(({ session_id }) => session_id);
    expect(await ids({ kind: "background" })).toEqual([session]);
    expect(await ids({ project: "house" })).toEqual([session]);
    expect(await ids({ project: "garden" })).toEqual([]);
    expect(await ids({})).toContain(other.session_id);
    await settle();
    expect(await ids({ status: ["completed"] })).toEqual([session]);
    const again = { task: "Once.", idempotencyKey: "k1" };
    const first = await kernel.start(ADA, again);
    expect((await kernel.start(ADA, again)).session_id).toBe(first.session_id);
    expect(await codeOf(kernel.start(ADA, { ...again, task: "Twice." }))).toBe("idempotency_mismatch");
  });

  it("refuses engines that are not there, and starts nothing", async () => {
    const { w } = await stage();
    await settle();
    const { kernel } = w.services;
    const before = (await kernel.list(ADA, {})).rows.length;
    expect(await codeOf(kernel.start(ADA, { task: "Go.", engine: "steam" }))).toBe("engine_unknown");
    expect(await codeOf(kernel.start(ADA, { task: "Go.", engine: "claude" }))).toBe("engine_not_installed");
    expect(await codeOf(kernel.start(ADA, { task: "  " }))).toBe("bad_request");
    expect(await codeOf(kernel.start(ADA, { task: "Go.", expires_at: "soon" }))).toBe("bad_request");
    expect(await codeOf(kernel.start(ADA, { task: "Go.", model: "none" }))).toBe("bad_request");
    expect((await kernel.list(ADA, {})).rows).toHaveLength(before);
  });

  it("keeps what was said in the task from who reads it", async () => {
    const secret = "sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789";
    const play = await stage({}, { task: `Use ${secret} for it.` });
    await play.until("completed");
    expect(JSON.stringify(await everything(play.w.log, play.session))).not.toContain(secret);
    expect(JSON.stringify(await play.row())).not.toContain(secret);
  });
});
