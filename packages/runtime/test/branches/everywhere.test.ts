import type { AnyEvent } from "@fairlead/contract";
import { expect, it } from "vitest";
import { next } from "../../src/domain/loop/next.ts";
import { loadCarried } from "../../src/services/loop/load.ts";
import { TURN_LIMITS } from "../../src/services/turn/limits.ts";
import { ADA, branchWorld, faults, idle, say, waiting, whole, workedSession } from "./support.ts";

const count = (events: readonly AnyEvent[], type: string, field: string) => {
  const ids = events.filter((event) => event.type === type).map(({ data }) => (data as never)[field]);
  return { all: ids.length, different: new Set(ids).size };
};

it("a branch from any event of a session has a conversation that a model takes, and nothing open", async () => {
  const w = branchWorld();
  const parent = await workedSession(w);
  const events = await whole(w, parent);
  expect(events.length).toBeGreaterThan(30);
  for (const event of events) {
    const where = `${event.seq} ${event.type}`;
    const { session_id } = await w.services.branches.branch(ADA, parent, { from_event_id: event.id });
    const row = await w.services.sessions.get(ADA, session_id);
    const { state } = await loadCarried(w.log, session_id);
    expect([where, row.status, row.turn_id, state.turn, state.held]).toEqual([where, "idle", null, null, []]);
    expect([where, faults(state.messages)]).toEqual([where, []]);
    expect([where, next(state, TURN_LIMITS)]).toEqual([where, { kind: "idle" }]);
    expect(state.settings).toMatchObject({ session_id, status: "idle", parent_session_id: parent });
    // Each start has exactly one outcome, each turn one end.
    const all = await whole(w, session_id);
    const outcomes = count(all, "agent.tool.outcome", "tool_call_id");
    expect([where, outcomes]).toEqual([where, { all: outcomes.different, different: outcomes.different }]);
    expect([where, outcomes.all]).toEqual([where, count(all, "agent.tool.start", "tool_call_id").different]);
    const started = count(all, "runtime.request.started", "turn_id").all;
    const ends = all.filter(
      (one) => one.type === "runtime.turn.ended" && (one.data as { status: string }).status !== "parked",
    );
    expect([where, ends.length]).toEqual([where, started]);
  }
  expect((await w.log.verify()).broken).toEqual([]);
  expect(w.reported).toEqual([]);
});

it("a branch in the middle of a turn goes on by itself, while the parent's question stays the parent's", async () => {
  const w = branchWorld();
  const { session_id: parent } = await w.services.sessions.create(ADA, {});
  await w.services.turns.start(ADA, parent, { input: "send it" });
  await waiting(w, parent);
  await w.services.turns.queue(ADA, parent, { input: "and hello after it" });
  const [question] = (await w.services.questions.list(ADA, { session_id: parent, state: "pending" })).rows;
  const { session_id: child } = await w.services.branches.branch(ADA, parent, {});

  expect((await w.services.questions.list(ADA, { session_id: child })).rows).toEqual([]);
  const before = (await w.services.sessions.get(ADA, child)).head_seq;
  await say(w, child, "hello");
  const { state } = await loadCarried(w.log, child);
  expect(faults(state.messages)).toEqual([]);
  expect(state.messages.at(-1)).toMatchObject({ role: "assistant", text: "Answer to hello" });
  expect(state.messages.filter(({ text }) => text === "and hello after it")).toEqual([]);
  expect(JSON.stringify(state.messages)).toContain("cancelled, branched");

  const childHead = (await w.services.sessions.get(ADA, child)).head_seq;
  expect(childHead).toBeGreaterThan(before);
  await w.services.questions.decide(ADA, question?.request_id ?? "", { decision: "approved" });
  await idle(w, parent);
  await idle(w, parent);
  expect((await w.services.sessions.get(ADA, child)).head_seq).toBe(childHead);
  const sent = (await whole(w, parent)).filter(
    ({ type, data }) => type === "agent.tool.outcome" && (data as { status: string }).status === "ok",
  );
  expect(sent).toHaveLength(3);
  expect(w.reported).toEqual([]);
});

it("a branch while the model speaks closes the turn in the branch and leaves it open in the parent", async () => {
  const w = branchWorld();
  const { session_id: parent } = await w.services.sessions.create(ADA, {});
  const { turn_id } = await w.services.turns.start(ADA, parent, { input: "hang" });
  const { session_id: child, head_seq } = await w.services.branches.branch(ADA, parent, {});
  expect((await w.services.sessions.get(ADA, parent)).turn_id).toBe(turn_id);
  const own = (await w.log.read(child)).events;
  expect(own.map(({ type }) => type)).toEqual([
    "runtime.session.checkpoint",
    "runtime.turn.ended",
    "runtime.request.cancelled",
    "runtime.run.lifecycle",
    "runtime.session.state",
  ]);
  expect(own[1]?.data).toEqual({ turn_id, status: "cancelled", reason: "branched" });
  expect(own.at(-1)?.seq).toBe(head_seq);
  await say(w, child, "hello");
  await w.services.turns.cancel(ADA, parent);
});
