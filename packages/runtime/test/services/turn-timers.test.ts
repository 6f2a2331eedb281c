import type { AnyEvent, SessionId } from "@fairlead/contract";
import { describe, expect, it } from "vitest";
import type { Step } from "../../src/models/script.ts";
import { scriptedModel } from "../../src/models/scripted.ts";
import { openMemoryStore } from "../../src/stores/memory/open.ts";
import type { Worker } from "../../src/workers/worker.ts";
import { turnRecovery } from "../../src/workers/turn-recovery.ts";
import { type World, actor, everything, handTime, settle, world } from "../support/world.ts";

const ADA = actor("operator", "ada");
const RETRY_MS = 60_000;
const limits = { callTries: 3 };

/** Is asked to come back in a minute, the first `times` times. */
function limited(times = 1) {
  const busy: Step[] = [{ fail: "Too many requests.", status: 429, retry_after_ms: RETRY_MS }];
  const rule = { at_first: Array.from({ length: times }, () => busy), do: [{ say: "Here I am." }] };
  return scriptedModel({ script: { rules: [rule] } });
}

function worker(w: World, count = () => {}): Worker {
  const { turns } = w.services;
  const recover = () => (count(), turns.recover());
  const { clock, timers } = w.time;
  return turnRecovery({
    turns: { ...turns, recover },
    clock,
    timers,
    report: (error) => void w.reported.push(error),
  });
}

async function parked(w: World): Promise<{ session: SessionId; due: number }> {
  const { session_id: session } = await w.services.sessions.create(ADA, {});
  await w.services.turns.start(ADA, session, { input: "Hi" });
  await settle();
  const end = (await everything(w.log, session)).findLast(isEnd)?.data as {
    status: string;
    waits: { kind: string; until: string }[];
  };
  expect(end).toMatchObject({ status: "parked", waits: [{ kind: "timer" }] });
  const due = Date.parse(end.waits[0]?.until ?? "");
  expect(due).toBe(w.time.clock.now() + RETRY_MS);
  return { session, due };
}

const isEnd = ({ type }: AnyEvent) => type === "runtime.turn.ended";

async function statusesOf(w: World, session: SessionId): Promise<readonly unknown[]> {
  await settle();
  const events = await everything(w.log, session);
  return events.filter(isEnd).map(({ data }) => (data as { status: string }).status);
}

describe("a turn that waits for a time", () => {
  it("goes on when it comes, not before, for whoever looks", async () => {
    const w = world({ limits, models: [limited()] });
    const { session } = await parked(w);
    expect(w.time.waiting()).toBe(0);
    await w.time.advance(RETRY_MS - 1);
    expect(await w.services.turns.recover()).toBe(0);
    expect(await statusesOf(w, session)).toEqual(["parked"]);
    await w.time.advance(1);
    expect(await w.services.turns.recover()).toBe(1);
    expect(await statusesOf(w, session)).toEqual(["parked", "completed"]);
    expect(w.reported).toEqual([]);
  });

  it("is woken by the worker at that very moment, and again when it has to wait again", async () => {
    const w = world({ limits, models: [limited(2)] });
    const looks: number[] = [];
    const recovery = worker(w, () => void looks.push(w.time.clock.now()));
    await recovery.start();
    // Between two of its looks, so that it is the timer that wakes it.
    await w.time.advance(3_333);
    const { session, due } = await parked(w);
    await w.time.advance(RETRY_MS - 1);
    expect(await statusesOf(w, session)).toEqual(["parked"]);
    await w.time.advance(1);
    expect(looks).toContain(due);
    expect(await statusesOf(w, session)).toEqual(["parked", "parked"]);
    await w.time.advance(RETRY_MS);
    expect(looks).toContain(due + RETRY_MS);
    expect(await statusesOf(w, session)).toEqual(["parked", "parked", "completed"]);
    await recovery.stop();
    expect([w.time.waiting(), w.reported]).toEqual([0, []]);
  });

  it.each([
    ["before it comes", RETRY_MS / 2],
    ["long after it came", RETRY_MS * 60],
  ])("is gone on with by a process that starts %s", async (_, later) => {
    const time = handTime();
    const store = openMemoryStore({ clock: time.clock });
    const first = world({ time, store, mark: "a", limits, models: [limited()] });
    const { session } = await parked(first);
    await first.services.turns.stop("It stops.");
    expect(await statusesOf(first, session)).toEqual(["parked"]);
    await time.advance(later);
    const second = world({ time, store, mark: "b" });
    const recovery = worker(second);
    await recovery.start();
    if (later < RETRY_MS) {
      expect(await statusesOf(second, session)).toEqual(["parked"]);
      await time.advance(RETRY_MS - later);
    }
    expect(await statusesOf(second, session)).toEqual(["parked", "completed"]);
    await recovery.stop();
    expect([time.waiting(), second.reported]).toEqual([0, []]);
  });

  it("can be cancelled meanwhile, and then its time means nothing", async () => {
    const w = world({ limits, models: [limited()] });
    const recovery = worker(w);
    await recovery.start();
    const { session } = await parked(w);
    await w.services.turns.cancel(ADA, session, "enough");
    await w.time.advance(RETRY_MS * 2);
    expect(await statusesOf(w, session)).toEqual(["parked", "cancelled"]);
    expect(await w.services.turns.nextDue()).toBeNull();
    await recovery.stop();
    expect([w.time.waiting(), w.reported]).toEqual([0, []]);
  });

  it("hears what was said while it waited, when it goes on", async () => {
    const w = world({ limits, models: [limited()] });
    const { session } = await parked(w);
    const { input_id } = await w.services.turns.steer(ADA, session, { input: "mind the gap" });
    await w.services.turns.queue(ADA, session, { input: "and then" });
    expect(await statusesOf(w, session)).toEqual(["parked"]);
    await w.time.advance(RETRY_MS);
    await w.services.turns.recover();
    expect(await statusesOf(w, session)).toEqual(["parked", "completed", "completed"]);
    const taken = (await everything(w.log, session)).filter(({ type }) => type === "runtime.input.taken");
    expect(taken.map(({ data }) => data)).toMatchObject([{ input_id }]);
  });
});

describe("a model that is asked again in a moment", () => {
  const busy: Step[] = [{ fail: "Overloaded.", status: 529, retry_after_ms: 9_000 }];
  const script = { rules: [{ at_first: [busy, busy], do: [{ say: "Here I am." }] }] };
  const diagnosticsOf = async (w: World, session: SessionId) =>
    (await everything(w.log, session)).filter(({ type }) => type === "runtime.transport.diagnostic");

  it("is said in the log before it is waited for: why, which try it was, and until when", async () => {
    const w = world({ limits: { callTries: 3, holdMs: 10_000 }, models: [scriptedModel({ script })] });
    const { session_id: session } = await w.services.sessions.create(ADA, {});
    await w.services.turns.start(ADA, session, { input: "Hi" });
    await settle();
    const first = await diagnosticsOf(w, session);
    const until = new Date(w.time.clock.now() + 9_000).toISOString();
    expect(first.map(({ data }) => data)).toMatchObject([
      {
        kind: "provider_retry",
        status: "retrying",
        reason: "Overloaded.",
        failure_count: 1,
        details: { attempt: 1, attempts: 3, until, code: "model_error" },
      },
    ]);
    await w.time.advance(9_000);
    expect((await diagnosticsOf(w, session))[1]?.data).toMatchObject({
      failure_count: 2,
      details: { attempt: 2 },
    });
    await w.time.advance(9_000);
    expect(await statusesOf(w, session)).toEqual(["completed"]);
    expect(await diagnosticsOf(w, session)).toHaveLength(2);
    // It was late, and nothing is wrong with it.
    const events = await everything(w.log, session);
    expect(events.filter(({ type }) => type === "runtime.health.snapshot")).toEqual([]);
  });

  it("is said of no call that is not made again", async () => {
    const w = world({ limits: { callTries: 1 }, models: [scriptedModel({ script })] });
    const { session_id: session } = await w.services.sessions.create(ADA, {});
    await w.services.turns.start(ADA, session, { input: "Hi" });
    expect(await statusesOf(w, session)).toEqual(["failed"]);
    expect(await diagnosticsOf(w, session)).toEqual([]);
  });
});
