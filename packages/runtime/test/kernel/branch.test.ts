import { describe, expect, it } from "vitest";
import { scriptedModel } from "../../src/models/scripted.ts";
import { codeOf } from "../support/world.ts";
import { ADA, CHANGE, DONE, REFUSED, model, stage, staged } from "./support.ts";

const rules = [
  { when: "Go on with the task from here", do: [{ say: "From there, then." }] },
  { when: "Another way", do: [{ say: "Another way it is." }] },
  { rounds: [[CHANGE], [DONE]] },
];
const models = [scriptedModel({ script: { rules } })];

describe("a branch of background work", () => {
  it("begins with a resume_seed, shares the history, and is queued and driven on its own", async () => {
    const play = await stage({ models }, { max_retries: 5, expires_at: "2030-01-01T00:00:00Z" });
    await play.until("awaiting_approval");
    const { kernel, details } = play.w.services;
    const { checkpoints } = await details.session(ADA, play.session);
    const from = checkpoints.find(({ checkpoint_type }) => checkpoint_type === "queued");
    const resume_cursor = `checkpoint:${play.session}:${from?.seq}`;
    const before = (await play.events()).length;
    const made = staged(play.w, await kernel.resume(ADA, play.session, { resume_cursor }));
    expect(made.session).not.toBe(play.session);
    const row = await made.until("completed");
    expect(row).toMatchObject({ kind: "background", parent_session_id: play.session });
    expect(row.state).toMatchObject({
      parent_session_id: play.session,
      branch_source_event_id: from?.event_id,
      branch_resume_cursor: resume_cursor,
      engine: "native",
      attempt_count: 1,
      max_retries: 5,
      expires_at: null,
    });
    expect(await made.checkpoints()).toEqual(["resume_seed", "step", "completed"]);
    expect((await made.data("runtime.session.checkpoint")).map(({ sequence }) => sequence)).toEqual([
      1, 2, 3,
    ]);
    expect((await made.data("runtime.request.completed"))[0]).toMatchObject({ output: "From there, then." });
    // The parent waits on, untouched.
    expect((await play.events()).length).toBe(before);
    expect((await play.row()).status).toBe("awaiting_approval");
  });

  it("may be told something else, and work in another way", async () => {
    const play = await stage({ models });
    await play.until("awaiting_approval");
    const events = await play.events();
    const asked = events.find(({ type }) => type === "runtime.question.asked");
    const made = staged(
      play.w,
      await play.w.services.kernel.resume(ADA, play.session, {
        from_event_id: asked?.id ?? "",
        input: "Another way",
        permission_mode: "plan",
        max_retries: 0,
        metadata: { try: 2 },
        policy: { health: { max_total_tokens: 3_000_000 } },
        title: "The other",
      }),
    );
    const row = await made.until("completed");
    expect(row).toMatchObject({
      title: "The other",
      state: {
        permission_mode: "plan",
        max_retries: 0,
        metadata: { try: 2, policy: { health: { max_total_tokens: 3_000_000 } } },
      },
    });
    expect((await made.data("runtime.request.completed"))[0]).toMatchObject({ output: "Another way it is." });
  });

  it("goes on from a place in one that has ended, or waits", async () => {
    const play = await stage({ models: [model([CHANGE], [DONE])] });
    await play.until("awaiting_approval");
    await play.w.services.kernel.pause(ADA, play.session);
    const last = (await play.events()).at(-1);
    const made = staged(
      play.w,
      await play.w.services.kernel.resume(ADA, play.session, { from_event_id: last?.id ?? "" }),
    );
    // It inherits neither the pause nor the question.
    expect((await made.until("completed", "awaiting_approval")).status).toBe("awaiting_approval");
    expect((await play.row()).status).toBe("paused");
    await made.decide("approved");
    await made.until("completed");
  });

  it("is a chat where a chat is asked for", async () => {
    const play = await stage({ models });
    await play.until("awaiting_approval");
    await play.w.services.kernel.pause(ADA, play.session);
    const chat = await play.w.services.branches.branch(ADA, play.session, {});
    expect(chat).toMatchObject({ kind: "chat", status: "idle" });
    expect(chat.state).not.toHaveProperty("engine");
    await play.w.services.turns.start(ADA, chat.session_id, { input: "Another way" });
    const made = staged(play.w, await play.w.services.kernel.healthy(chat));
    expect((await made.until("idle")).turn_id).toBeNull();
  });

  it("is refused from a place that is none, and makes nothing", async () => {
    const play = await stage({ models: [scriptedModel({ script: { rules: [{ do: [REFUSED] }] } })] });
    await play.until("failed");
    const { kernel } = play.w.services;
    const count = async () => (await kernel.list(ADA, {})).rows.length;
    const before = await count();
    const bad = [
      [{ from_event_id: "evt_none" }, "event_not_found"],
      [{ resume_cursor: `turn:${play.session}:1` }, "resume_cursor_invalid"],
      [{ resume_cursor: `event:${play.session}:1`, from_event_id: "evt_1" }, "bad_request"],
      [{ resume_cursor: `event:${play.session}:1`, input: " " }, "bad_request"],
      [{ resume_cursor: `event:${play.session}:1`, model: "none" }, "bad_request"],
    ] as const;
    for (const [input, code] of bad) expect(await codeOf(kernel.resume(ADA, play.session, input))).toBe(code);
    expect(await count()).toBe(before);
  });

  it("is made once for one key", async () => {
    const play = await stage({ models });
    await play.until("awaiting_approval");
    const { kernel } = play.w.services;
    const again = { resume_cursor: `event:${play.session}:3`, idempotencyKey: "b1" };
    const first = await kernel.resume(ADA, play.session, again);
    expect((await kernel.resume(ADA, play.session, again)).session_id).toBe(first.session_id);
    expect(await codeOf(kernel.resume(ADA, play.session, { ...again, input: "Other" }))).toBe(
      "idempotency_mismatch",
    );
  });
});
