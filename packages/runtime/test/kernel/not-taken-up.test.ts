import { describe, expect, it } from "vitest";
import type { EventLog } from "../../src/ports/event-log.ts";
import { CHANGE, DONE, model, stage } from "./support.ts";

/** The first so many commits that go on with a turn break, as a bug would break them. */
function breaking(times: number): (log: EventLog) => EventLog {
  let left = times;
  return (log) => ({
    ...log,
    append: async (append) => {
      const resumes = append.writes.some(({ events }) =>
        events.some(({ type }) => type === "runtime.turn.resumed"),
      );
      if (resumes && left-- > 0) throw new TypeError("a bug");
      return log.append(append);
    },
  });
}

async function approved(times: number, max_retries: number) {
  const play = await stage({ models: [model([CHANGE], [DONE])], wrap: breaking(times) }, { max_retries });
  await play.until("awaiting_approval");
  await play.decide("approved");
  return play;
}

describe("background work that breaks when it is gone on with after a decision", () => {
  it("recovers, and does once what was decided", async () => {
    const play = await approved(1, 3);
    const row = await play.until("recovering");
    expect(row.state).toMatchObject({
      attempt_count: 1,
      resume_context: { kind: "retry", code: "internal" },
    });
    expect(play.w.reported).toMatchObject([{ message: "a bug" }]);
    await play.w.time.advance(2_000);
    await play.w.services.turns.recover();
    expect((await play.until("completed")).state?.attempt_count).toBe(2);
    expect(await play.data("agent.tool.outcome")).toMatchObject([{ tool_name: "change", status: "ok" }]);
  });

  it("fails when it breaks as often as it may be tried, and nothing is left that would go on", async () => {
    const play = await approved(9, 1);
    await play.until("recovering");
    // The attempt that broke counts, although nothing of it could be written.
    await play.w.time.advance(2_000);
    await play.w.services.turns.recover();
    expect((await play.until("recovering")).state).toMatchObject({ attempt_count: 2 });
    await play.w.time.advance(4_000);
    await play.w.services.turns.recover();
    const row = await play.until("failed");
    expect(row.state?.status).toBe("failed");
    expect(await play.data("runtime.request.failed")).toMatchObject([{ code: "internal" }]);
    expect(await play.data("agent.tool.batch")).toEqual([]);
    expect(await play.w.services.turns.recover()).toBe(0);
  });

  it("fails at once where it may not be tried again", async () => {
    const play = await approved(1, 0);
    const row = await play.until("failed");
    expect(row.state).toMatchObject({ attempt_count: 1 });
    expect(await play.data("agent.tool.batch")).toEqual([]);
  });
});
