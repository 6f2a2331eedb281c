import type { SessionStatus } from "@fairlead/contract";
import { describe, expect, it } from "vitest";
import { scriptedModel } from "../../src/models/scripted.ts";
import { gated, look, writer } from "../golden/scene.ts";
import { actor, codeOf, settle } from "../support/world.ts";
import { ADA, BUSY, CHANGE, DONE, REFUSED, type Stage, model, shaky, stage } from "./support.ts";

/** Background work in each of its states. */
const IN: Record<Exclude<SessionStatus, "idle" | "needs_review">, () => Promise<Stage>> = {
  queued: () => stage({ limits: { background: 0 } }),
  async running() {
    const wait = gated();
    const models = [model([{ call: "wait", with: { what: "for news" } }], [DONE])];
    const play = await stage({ models, tools: [wait, look, writer] });
    for (let i = 0; i < 200 && (await play.data("agent.tool.batch")).length === 0; i++) await settle();
    LET_GO.set(play, () => wait.letGo({ result: "news" }));
    return play;
  },
  async awaiting_approval() {
    const play = await stage({ models: [model([CHANGE], [DONE])] });
    await play.until("awaiting_approval");
    return play;
  },
  async paused() {
    const play = await stage({ limits: { background: 0 } });
    await play.w.services.kernel.pause(ADA, play.session);
    return play;
  },
  async recovering() {
    const play = await stage({ models: [shaky(1, BUSY, DONE)] });
    await play.until("recovering");
    return play;
  },
  async completed() {
    const play = await stage();
    await play.until("completed");
    return play;
  },
  async failed() {
    const play = await stage({ models: [shaky(1, REFUSED, DONE)] });
    await play.until("failed");
    return play;
  },
  async cancelled() {
    const play = await IN.queued();
    await play.w.services.kernel.cancel(ADA, play.session);
    return play;
  },
};
const LET_GO = new WeakMap<Stage, () => void>();
const STATES = Object.keys(IN) as (keyof typeof IN)[];
const OVER = ["completed", "failed", "cancelled"];

describe("a pause", () => {
  it.each(STATES.filter((state) => !OVER.includes(state) && state !== "running"))(
    "of one that is %s holds at once, and nothing moves it but a resume",
    async (state) => {
      const play = await IN[state]();
      const { kernel, turns } = play.w.services;
      const row = await kernel.pause(ADA, play.session, "lunch");
      expect(row).toMatchObject({ status: "paused", health: { flags: expect.arrayContaining(["waiting"]) } });
      await play.w.time.advance(3_600_000);
      expect(await turns.recover()).toBe(0);
      expect(await turns.wake(play.session)).toBe(false);
      expect((await play.row()).status).toBe("paused");
      expect((await play.row()).state?.ended_at).toBeNull();
      // Once more changes nothing.
      const before = (await play.events()).length;
      await kernel.pause(ADA, play.session, "supper");
      expect((await play.events()).length).toBe(before);
    },
  );

  it("of one that runs holds at the next boundary, and what runs is finished", async () => {
    const play = await IN.running();
    const { kernel } = play.w.services;
    expect((await kernel.pause(ADA, play.session, "lunch")).status).toBe("running");
    LET_GO.get(play)?.();
    const row = await play.until("paused");
    expect(row.state).toMatchObject({ resume_context: { kind: "paused", actor: "ada", reason: "lunch" } });
    expect(await play.data("agent.tool.outcome")).toMatchObject([{ status: "ok" }]);
    // The model was not asked again.
    expect(await play.data("agent.output.completed")).toHaveLength(1);
    await kernel.resume(ADA, play.session);
    await play.until("completed");
    expect(await play.statuses()).toEqual(["queued", "running", "paused", "queued", "running", "completed"]);
    expect((await play.row()).state?.attempt_count).toBe(1);
  });

  it("that was not heard yet can be taken back", async () => {
    const play = await IN.running();
    const { kernel } = play.w.services;
    await kernel.pause(ADA, play.session);
    await kernel.resume(ADA, play.session, { input: "And remember the milk." });
    LET_GO.get(play)?.();
    await play.until("completed");
    expect(await play.statuses()).toEqual(["queued", "running", "completed"]);
    // What was said with it is told to the turn that runs.
    expect(await play.data("runtime.input.queued")).toMatchObject([
      {},
      { mode: "steer", input: "And remember the milk.", actor: "ada" },
    ]);
  });

  it.each(["queued", "awaiting_approval"] as const)(
    "of one that is %s, taken back in the moment in which it was heeded, holds nothing up",
    async (state) => {
      const play = await IN[state]();
      const { kernel, turns } = play.w.services;
      await kernel.pause(ADA, play.session);
      // What is left when the two meet: the wish is gone, and the state is not.
      const data = { session_id: play.session, actor: "ada", reason: "never mind" };
      const events = [{ type: "runtime.session.resuming" as const, data }];
      await play.w.log.append({ writes: [{ stream: play.session, events }] });
      expect((await play.row()).status).toBe("paused");
      await turns.wake(play.session, true);
      if (state === "queued") return void (await play.until("completed"));
      await play.until("awaiting_approval");
      await play.decide("approved");
      await play.until("completed");
      expect(play.w.reported).toEqual([]);
    },
  );

  it("keeps a question open, and the answer counts when it goes on", async () => {
    const play = await IN.awaiting_approval();
    const { kernel } = play.w.services;
    await kernel.pause(ADA, play.session);
    await play.decide("approved");
    expect((await play.row()).status).toBe("paused");
    expect(await play.data("agent.tool.outcome")).toEqual([]);
    await kernel.resume(ADA, play.session);
    await play.until("completed");
    expect(await play.data("agent.tool.outcome")).toMatchObject([{ status: "ok" }]);
  });

  it("leaves a question that is still open to be decided after it", async () => {
    const play = await IN.awaiting_approval();
    const { kernel } = play.w.services;
    await kernel.pause(ADA, play.session);
    expect(await kernel.resume(ADA, play.session)).toMatchObject({ status: "awaiting_approval" });
    await play.decide("denied");
    await play.until("completed");
    expect(await play.data("agent.tool.outcome")).toMatchObject([{ status: "denied" }]);
  });

  it.each(OVER)("of one that is %s is refused, and changes nothing", async (state) => {
    const play = await IN[state as "completed"]();
    const before = (await play.events()).length;
    expect(await codeOf(play.w.services.kernel.pause(ADA, play.session))).toBe("session_ended");
    expect((await play.events()).length).toBe(before);
  });
});

describe("a resume", () => {
  it.each(["paused", "recovering", "failed"] as const)("of one that is %s goes on", async (state) => {
    const play = await IN[state]();
    const room = play.w.services;
    await room.kernel.resume(ADA, play.session, { reason: "mended" });
    if (state === "paused") {
      // There is no room for it here: it is queued, and stays so.
      expect((await play.row()).status).toBe("queued");
      return;
    }
    const row = await play.until("completed");
    expect(row.state).toMatchObject({ attempt_count: 2, last_error: null });
    expect(await play.data("runtime.session.resuming")).toMatchObject([{ actor: "ada", reason: "mended" }]);
    // What failed for good is told to go on; what was only tried again is the same request.
    expect(await play.data("runtime.request.started")).toHaveLength(state === "failed" ? 2 : 1);
  });

  it("tells it what was said", async () => {
    const rules = [{ when: "Use blue", do: [DONE] }, { do: [REFUSED] }];
    const play = await stage({ models: [scriptedModel({ script: { rules } })] });
    await play.until("failed");
    await play.w.services.kernel.resume(ADA, play.session, { input: "Use blue" });
    await play.until("completed");
    expect(await play.data("runtime.request.started")).toMatchObject([{}, { input: "Use blue" }]);
  });

  it("is the same when it is asked for twice with one key", async () => {
    const play = await IN.failed();
    const { kernel } = play.w.services;
    const again = { idempotencyKey: "r1" };
    await kernel.resume(ADA, play.session, again);
    await play.until("completed");
    expect((await kernel.resume(ADA, play.session, again)).status).toBe("completed");
    expect(await play.data("runtime.session.resuming")).toHaveLength(1);
  });

  it.each([
    ["queued", "session_state"],
    ["running", "session_state"],
    ["awaiting_approval", "session_state"],
    ["completed", "session_ended"],
    ["cancelled", "session_ended"],
  ] as const)("of one that is %s is refused with %s, and changes nothing", async (state, code) => {
    const play = await IN[state]();
    const before = (await play.events()).length;
    expect(await codeOf(play.w.services.kernel.resume(ADA, play.session))).toBe(code);
    expect((await play.events()).length).toBe(before);
    LET_GO.get(play)?.();
  });

  it("is not an agent's to give", async () => {
    const bot = actor("agent", "bot");
    const w = (await IN.completed()).w;
    const own = await w.services.kernel.start(bot, { task: "Mine." });
    await settle();
    expect(await codeOf(w.services.kernel.resume(bot, own.session_id))).toBe("forbidden");
    expect(await codeOf(w.services.kernel.setPolicy(bot, own.session_id, { max_retries: 9 }))).toBe(
      "forbidden",
    );
  });
});

describe("a cancel", () => {
  it.each(["queued", "running", "awaiting_approval", "paused", "recovering"] as const)(
    "of one that is %s ends it for good",
    async (state) => {
      const play = await IN[state]();
      const { kernel, turns, questions } = play.w.services;
      const row = await kernel.cancel(ADA, play.session, "enough");
      expect(row).toMatchObject({ status: "cancelled", turn_id: null, state: { process_id: null } });
      expect(row.state?.ended_at).not.toBeNull();
      await play.w.time.advance(3_600_000);
      expect(await turns.recover()).toBe(0);
      expect((await play.row()).status).toBe("cancelled");
      expect((await questions.list(ADA, { state: "pending" })).rows).toEqual([]);
      // Who wanted it is on record, however it was ended.
      expect((await play.data("runtime.session.checkpoint")).at(-1)).toMatchObject({
        checkpoint_type: "cancelled",
        summary_text: "Cancelled by ada: enough",
      });
      for (const { actor } of await play.data("runtime.turn.cancelling")) expect(actor).toBe("ada");
      const before = (await play.events()).length;
      expect((await kernel.cancel(ADA, play.session)).status).toBe("cancelled");
      expect((await play.events()).length).toBe(before);
      expect(play.w.reported).toEqual([]);
    },
  );

  it.each(["completed", "failed"] as const)("of one that is %s is refused", async (state) => {
    const play = await IN[state]();
    const before = (await play.events()).length;
    expect(await codeOf(play.w.services.kernel.cancel(ADA, play.session))).toBe("session_ended");
    expect((await play.events()).length).toBe(before);
  });

  it("of a chat is refused here", async () => {
    const { w } = await IN.completed();
    const { session_id } = await w.services.sessions.create(ADA, {});
    for (const refused of [
      w.services.kernel.cancel(ADA, session_id),
      w.services.kernel.pause(ADA, session_id),
      w.services.kernel.resume(ADA, session_id),
      w.services.kernel.setPolicy(ADA, session_id, { max_retries: 1 }),
    ])
      expect(await codeOf(refused)).toBe("session_not_background");
  });
});

describe("room", () => {
  it("is given to those that waited longest, and no more than there is", async () => {
    const wait = gated();
    const models = [
      scriptedModel({
        script: {
          rules: [
            { when: "hold", rounds: [[{ call: "wait", with: { what: "x" } }], [DONE]] },
            { do: [DONE] },
          ],
        },
      }),
    ];
    const play = await stage({ models, tools: [wait, look], limits: { background: 1 } }, { task: "hold on" });
    for (let i = 0; i < 200 && (await play.data("agent.tool.batch")).length === 0; i++) await settle();
    const { kernel, turns } = play.w.services;
    const later: string[] = [];
    for (const task of ["first", "second", "third"]) {
      await play.w.time.advance(10);
      later.push((await kernel.start(ADA, { task })).session_id);
    }
    expect(await turns.recover()).toBe(0);
    const queued = async () =>
      (await kernel.list(ADA, { status: ["queued"] })).rows.map(({ session_id }) => session_id);
    expect((await queued()).toSorted()).toEqual(later.toSorted());
    wait.letGo({ result: "go" });
    await play.until("completed");
    for (let i = 0; i < 200 && (await queued()).length > 0; i++) await settle();
    await settle();
    const started: { readonly session: string; readonly pos: number }[] = [];
    for (const { event, pos } of (await play.w.log.readAll({ limit: 1000 })).events)
      if (event.type === "runtime.request.started") started.push({ session: event.stream, pos });
    expect(started.map(({ session }) => session)).toEqual([play.session, ...later]);
  });

  it("that is decided about while it is paused waits for that person no more", async () => {
    const play = await IN.awaiting_approval();
    const asked = (await play.row()).state?.approval_request_id;
    expect(asked).toEqual(expect.any(String));
    await play.w.services.kernel.pause(ADA, play.session, "lunch");
    await play.until("paused");
    await play.decide("approved");
    const { status, state } = await play.row();
    expect(status).toBe("paused");
    expect(state?.approval_request_id).toBeNull();
    expect(JSON.stringify(state?.resume_context)).not.toContain(String(asked));
    await play.w.services.kernel.resume(ADA, play.session);
    await play.until("completed");
    const said = (await play.data("runtime.session.state")).slice(-3);
    expect(said.map(({ approval_request_id }) => approval_request_id)).toEqual([null, null, null]);
  });
});
