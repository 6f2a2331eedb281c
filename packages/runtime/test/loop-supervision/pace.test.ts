import { describe, expect, test } from "vitest";
import type { Step } from "../../src/models/script.ts";
import { openMemoryStore } from "../../src/stores/memory/open.ts";
import { handTime, world } from "../support/world.ts";
import { ADA, calling, ending, heard, kept, outcomes, ran } from "./support.ts";

const limit: Step = { fail: "Too many requests.", status: 429, retry_after_ms: 60_000 };
const once = () => heard({ at_first: [[limit]], do: [{ say: "Done." }] });
const always = (id?: string) => heard({ do: [limit] }, id);
const rule = (decide: string, more = "") =>
  `rules: [{ id: one, on: [rate_limit], decide: ${decide}, reason: Because., ${more} }]`;

describe("rate_limit", () => {
  test("retry: waits as long as it says, and tries again", async () => {
    const model = once();
    const turn = await ran({
      models: [model],
      rules: rule("retry", "retry_after_ms: 30000"),
      limits: { callTries: 3 },
    });
    expect(await ending(turn)).toMatchObject({ status: "parked", waits: [{ kind: "timer" }] });
    await turn.later(30_000);
    expect(model.asked).toHaveLength(2);
    expect(await turn.decisions("rate_limit")).toMatchObject([{ outcome: "retry" }]);
    expect(await ending(turn)).toMatchObject({ status: "completed" });
  });

  test("retry without end: another model stands in after the usual tries", async () => {
    const [first, second] = [always(), heard({ do: [{ say: "Done." }] }, "second")];
    const time = handTime();
    const turning = ran({
      time,
      models: [first, second],
      fallbacks: ["second"],
      rules: rule("retry", "retry_after_ms: 1000"),
      limits: { callTries: 3 },
    });
    for (let i = 0; i < 4; i++) await time.advance(1_000);
    const turn = await turning;
    expect([first.asked.length, second.asked.length]).toEqual([3, 1]);
    expect(await turn.data("runtime.transport.diagnostic")).toMatchObject([
      { kind: "provider_retry" },
      { kind: "provider_retry" },
      { kind: "provider_fallback" },
    ]);
  });

  test("queue: a durable timer until the provider takes requests again, in any process", async () => {
    const time = handTime();
    const store = openMemoryStore({ clock: time.clock });
    const model = once();
    const turn = await ran({ time, store, models: [model], rules: rule("queue") });
    const until = new Date(time.clock.now() + 60_000).toISOString();
    expect(await ending(turn)).toMatchObject({ status: "parked", waits: [{ kind: "timer", until }] });
    await turn.later(60_000, world({ time, store, models: [model], mark: "b" }));
    expect(model.asked).toHaveLength(2);
    expect(await ending(turn)).toMatchObject({ status: "completed" });
  });

  test("skip: the model that stands in, at once", async () => {
    const [first, second] = [always(), heard({ do: [{ say: "Done." }] }, "second")];
    const turn = await ran({
      models: [first, second],
      fallbacks: ["second"],
      rules: rule("skip"),
      limits: { callTries: 3 },
    });
    expect([first.asked.length, second.asked.length]).toEqual([1, 1]);
    expect(await turn.decisions("rate_limit")).toMatchObject([{ outcome: "skip" }]);
  });

  test("skip with nobody to stand in: the turn ends", async () => {
    const turn = await ran({ models: [always()], rules: rule("skip"), limits: { callTries: 3 } });
    expect(await ending(turn)).toMatchObject({ status: "failed" });
    expect(await turn.data("runtime.request.failed")).toHaveLength(1);
  });
});

describe("confirmation", () => {
  const writing = (decide: string) => {
    const write = kept("write", { access: "write", effect: "once", parallel: false });
    const rules = `rules: [{ id: one, on: [confirmation], decide: ${decide}, reason: Because. }]`;
    return { write, options: { models: [calling("write")], tools: [write], rules } };
  };

  test("approve: it runs, and nobody is asked", async () => {
    const { write, options } = writing("approve");
    const turn = await ran(options);
    expect(write.runs).toEqual([{}]);
    expect(await turn.data("runtime.question.asked")).toEqual([]);
    expect(await turn.decisions("confirmation")).toMatchObject([{ outcome: "approve" }]);
  });

  test("reject: it does not run, and the model is told why", async () => {
    const { write, options } = writing("reject");
    const turn = await ran(options);
    expect(write.runs).toEqual([]);
    expect(await outcomes(turn)).toEqual([["write", "denied", "Because."]]);
  });

  test("escalate: the person is asked after all", async () => {
    const { write, options } = writing("escalate");
    const turn = await ran(options);
    expect(await turn.question()).toMatchObject({ tool_name: "write", origin: "mode" });
    await turn.decide({ decision: "approved" });
    expect(write.runs).toEqual([{}]);
  });
});

describe("idle", () => {
  // Enough that a snapshot is due.
  const many = () =>
    heard({ rounds: [Array.from({ length: 150 }, (): Step => ({ call: "look" })), [{ say: "Done." }]] });
  const idle = (decide: string) => ({
    models: [many()],
    tools: [kept("look")],
    rules: `rules: [{ id: one, on: [idle], decide: ${decide}, reason: Because. }]`,
  });

  test("allow: what was folded is kept", async () => {
    const turn = await ran(idle("allow"));
    expect(await turn.decisions("idle")).toMatchObject([{ outcome: "allow", source: "rule:one" }]);
    expect(await turn.data("runtime.session.snapshot")).toHaveLength(1);
  });

  test("defer: not now, and asked again after the next turn", async () => {
    const turn = await ran(idle("defer"));
    expect(await turn.decisions("idle")).toMatchObject([{ outcome: "defer" }]);
    expect(await turn.data("runtime.session.snapshot")).toEqual([]);
    await turn.w.services.turns.start(ADA, turn.session, { input: "More" });
    await turn.rest();
    expect(await turn.decisions("idle")).toHaveLength(2);
  });
});
