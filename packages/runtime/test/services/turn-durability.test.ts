import type { AnyEvent, SessionId } from "@fairlead/contract";
import { describe, expect, it } from "vitest";
import { fold } from "../../src/domain/loop/fold.ts";
import { next } from "../../src/domain/loop/next.ts";
import { newLoopState } from "../../src/domain/loop/state.ts";
import { type Wake, wakeProjection, wakeState } from "../../src/domain/wake.ts";
import { TURN_LIMITS } from "../../src/services/turn/limits.ts";
import type { Tool } from "../../src/ports/tool.ts";
import { openMemoryStore } from "../../src/stores/memory/open.ts";
import { type World, actor, everything, handTime, script, settle, world } from "../support/world.ts";
import { scriptedModel } from "../../src/models/scripted.ts";

const ADA = actor("operator", "ada");
const AT = "2026-01-01T00:00:00.000Z";
const stream = "ses_0001" as SessionId;

const event = (seq: number, type: string, data: unknown) =>
  ({ seq, type, data, id: `evt_${seq}`, at: AT, stream, turn_id: "trn_1" }) as unknown as AnyEvent;

const begun = [
  event(1, "runtime.request.started", { turn_id: "trn_1", input: "Hi", attempt: 1 }),
  event(2, "agent.output.completed", {
    text: "",
    step: 1,
    tool_calls: [{ tool_call_id: "c1", name: "send", arguments: "{}" }],
  }),
];
const asked = event(3, "runtime.question.asked", {
  request_id: "qst_1",
  tool_call_id: "c1",
  kind: "approval",
});
const decided = event(4, "runtime.question.decided", {
  request_id: "qst_1",
  decision: "approved",
  actor: "ada",
});
const parked = event(5, "runtime.turn.ended", {
  turn_id: "trn_1",
  status: "parked",
  waits: [{ kind: "question", request_id: "qst_1" }],
});
const resumed = (seq: number) =>
  event(seq, "runtime.turn.resumed", { turn_id: "trn_1", attempt: seq, reason: "" });

function folded(events: readonly AnyEvent[]) {
  const state = newLoopState();
  for (const one of events) fold(state, one);
  return state;
}

function rowOf(events: readonly AnyEvent[]): Wake {
  let row: Wake | undefined;
  for (const one of events)
    if (wakeProjection.types.includes(one.type as never))
      row = wakeProjection.evolve(row, one, { id: stream } as never);
  return row as Wake;
}

async function endOf({ log, services }: World, session: SessionId): Promise<readonly AnyEvent[]> {
  for (let i = 0; i < 100; i++) {
    await settle();
    if ((await services.sessions.get(ADA, session)).turn_id === null) return everything(log, session);
  }
  throw new Error("the turn did not end");
}

describe("a turn that is parked", () => {
  it("does not wait for what was decided a moment before", () => {
    const early = [...begun, asked, decided, parked];
    expect(wakeState(rowOf(early))).toBe("ready");
    expect(folded(early).turn?.waits).toEqual([]);
    // It goes on through its resume, and never past it.
    expect(next(folded(early), TURN_LIMITS)).toEqual({ kind: "park", waits: [] });
    expect(next(folded([...early, resumed(2)]), TURN_LIMITS).kind).toBe("settle");
    const open = [...begun, asked, parked];
    expect(wakeState(rowOf(open))).toBe("waiting");
    expect(next(folded(open), TURN_LIMITS).kind).toBe("park");
  });
});

describe("a turn that kills its process", () => {
  it("is given up when nothing came of it again and again", () => {
    const lost = (times: number) =>
      folded([...begun.slice(0, 1), ...Array.from({ length: times }, (_, i) => resumed(i + 2))]);
    expect(next(lost(TURN_LIMITS.losses - 1), TURN_LIMITS).kind).toBe("call");
    expect(next(lost(TURN_LIMITS.losses), TURN_LIMITS)).toEqual({ kind: "fail", code: "interrupted" });
  });

  it("counts only those that were lost in a row", () => {
    const state = folded([...begun.slice(0, 1), resumed(2), resumed(3), begun[1] as AnyEvent]);
    expect(state.turn?.losses).toBe(0);
  });
});

describe("a turn in which something unexpected goes wrong", () => {
  it("fails as internal, once, and the next one is driven", async () => {
    let broken = true;
    const tool: Tool = {
      spec: { name: "look", description: "Looks.", parameters: { type: "object" } },
      access: "read",
      effect: "none",
      parallel: true,
      timeoutMs: 1_000,
      origin: "test",
      run: async () => ({ result: "seen" }),
    };
    const w = world({
      tools: [tool],
      models: [scriptedModel({ script: { rules: [{ rounds: [[{ call: "look" }], [{ say: "Done." }]] }] } })],
      wrap: (log) => ({
        ...log,
        append: async (append) => {
          const bad = append.writes.some(({ events }) =>
            events.some(({ type }) => type === "agent.tool.batch"),
          );
          if (broken && bad) throw new TypeError("a bug");
          return log.append(append);
        },
      }),
    });
    const { session_id } = await w.services.sessions.create(ADA, {});
    await w.services.turns.start(ADA, session_id, { input: "Hi" });
    const events = await endOf(w, session_id);
    const ends = events.filter(({ type }) => type === "runtime.turn.ended").map(({ data }) => data);
    expect(ends).toMatchObject([{ status: "failed", reason: "internal" }]);
    expect(w.reported).toMatchObject([{ message: "a bug" }]);
    broken = false;
    await w.services.turns.start(ADA, session_id, { input: "Again" });
    const after = await endOf(w, session_id);
    expect(after.filter(({ type }) => type === "runtime.request.completed")).toHaveLength(1);
  });
});

describe("a server that stops", () => {
  it("parks its turn with the reason, and the next one goes on with it", async () => {
    const time = handTime();
    const store = openMemoryStore({ clock: time.clock });
    const first = world({ time, store, mark: "a", steps: [{ say: "I begin" }, { hang: true }] });
    const { session_id } = await first.services.sessions.create(ADA, {});
    await first.services.turns.start(ADA, session_id, { input: "Hi" });
    await settle();
    await first.services.turns.queue(ADA, session_id, { input: "and then" });
    await first.services.turns.stop("A new version comes.");
    const left = await everything(first.log, session_id);
    expect(left.findLast(({ type }) => type === "runtime.turn.ended")?.data).toMatchObject({
      status: "parked",
      reason: "A new version comes.",
    });
    const second = world({
      time,
      store,
      mark: "b",
      models: [scriptedModel({ script: script({ say: "Here." }) })],
    });
    expect(await second.services.turns.recover()).toBe(1);
    await endOf(second, session_id);
    await settle();
    const events = await everything(second.log, session_id);
    const types = events.map(({ type }) => type);
    expect(types.filter((type) => type === "runtime.request.completed")).toHaveLength(2);
    expect(types.filter((type) => type === "agent.output.superseded")).toHaveLength(1);
    expect(second.reported).toEqual([]);
  });
});
