import type { NewEvent } from "@fairlead/contract";
import { describe, expect, it } from "vitest";
import { is } from "../../src/domain/event.ts";
import type { EventLog } from "../../src/ports/event-log.ts";
import { settle, world } from "../support/world.ts";
import { ADA, DONE, model, stage } from "./support.ts";

/** The first so many commits that begin a turn (with this input) break, as a bug on the way to them would. */
function breaking(times: number, input?: string) {
  const seen = { tries: 0 };
  const begins = ({ type, data }: NewEvent): boolean =>
    type === "runtime.request.started" && (input === undefined || ("input" in data && data.input === input));
  const wrap = (log: EventLog): EventLog => ({
    ...log,
    append: async (append) => {
      if (append.writes.some(({ events }) => events.some(begins)) && seen.tries++ < times)
        throw new TypeError("a bug");
      return log.append(append);
    },
  });
  return { seen, wrap };
}

describe("background work that breaks before it has begun", () => {
  it("recovers after a while, as the next attempt", async () => {
    const play = await stage({ models: [model([DONE])], wrap: breaking(1).wrap });
    const row = await play.until("recovering");
    expect(row.state).toMatchObject({
      attempt_count: 1,
      resume_context: { kind: "retry", code: "internal" },
    });
    expect(play.w.reported).toMatchObject([{ message: "a bug" }]);
    await play.w.time.advance(2_000);
    await play.w.services.turns.recover();
    expect((await play.until("completed")).state?.attempt_count).toBe(2);
    expect(await play.data("runtime.request.started")).toHaveLength(1);
    expect(await play.checkpoints()).toEqual(["queued", "recovering", "step", "completed"]);
  });

  it("fails where it may not be tried again, and goes on with its task when somebody wants it to", async () => {
    const play = await stage({ models: [model([DONE])], wrap: breaking(1).wrap }, { max_retries: 0 });
    const row = await play.until("failed");
    expect(row.state?.attempt_count).toBe(1);
    expect(await play.data("runtime.request.failed")).toMatchObject([{ code: "internal" }]);
    expect(await play.w.services.turns.recover()).toBe(0);
    await play.w.services.kernel.resume(ADA, play.session);
    await play.until("completed");
    expect(await play.data("runtime.request.started")).toMatchObject([
      { input: "Paint the fence." },
      { input: "Go on with the task from where it stopped." },
    ]);
  });

  it("is left to who looks next where not even that can be written: nothing turns in a circle", async () => {
    const { seen, wrap } = breaking(Infinity);
    const play = await stage({ models: [model([DONE])], wrap });
    await settle();
    expect((await play.row()).status).toBe("queued");
    expect(seen.tries).toBe(2);
    await play.w.services.turns.recover();
    await settle();
    expect(seen.tries).toBe(4);
    expect(play.w.reported).toHaveLength(4);
  });
});

describe("what was said for after a turn of a chat, and breaks before it has begun", () => {
  it("has failed, and what was said after it is heard", async () => {
    // Twice: by the drive that had the first turn, and by the one that takes up what is left.
    const w = world({ wrap: breaking(2, "Two.").wrap });
    const { session_id } = await w.services.sessions.create(ADA, {});
    await w.services.turns.start(ADA, session_id, { input: "One." });
    await w.services.turns.queue(ADA, session_id, { input: "Two." });
    await w.services.turns.queue(ADA, session_id, { input: "Three." });
    for (let i = 0; i < 20; i++) await settle();
    const { events } = await w.log.read(session_id, {
      types: ["runtime.request.started", "runtime.turn.ended"],
    });
    const said = events.map((event) =>
      is(event, "runtime.request.started")
        ? event.data.input
        : is(event, "runtime.turn.ended") && event.data.status,
    );
    expect(said).toEqual(["One.", "completed", "Two.", "failed", "Three.", "completed"]);
  });
});
