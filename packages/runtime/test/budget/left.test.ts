import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { LEAST_OUTPUT, leastLeft, MOST_OUTPUT, reserveFor } from "../../src/domain/budget/reserve.ts";
import { costOf } from "../../src/domain/loop/cost.ts";
import type { Step } from "../../src/models/script.ts";
import { held } from "../health/support.ts";
import type { Model } from "../../src/ports/model.ts";
import { DONE, LOOK, model } from "../kernel/support.ts";
import { settle } from "../support/world.ts";

const amount = fc.option(fc.double({ min: 0, max: 1e6, noNaN: true }), { nil: undefined });
const price = fc.option(
  fc.record({
    input: fc.double({ min: 0, max: 100, noNaN: true }),
    output: fc.double({ min: 0, max: 100, noNaN: true }),
  }),
  { nil: undefined },
);

describe("what is put aside for a call", () => {
  it("is the most that it can use, and never more than is left", () => {
    fc.assert(
      fc.property(fc.nat(200_000), amount, amount, price, (input, tokens, cost_usd, given) => {
        const reserve = reserveFor(input, { tokens, cost_usd }, given);
        if (reserve === undefined) return;
        const { max_output_tokens: output } = reserve;
        expect(output).toBeGreaterThanOrEqual(LEAST_OUTPUT);
        expect(output).toBeLessThanOrEqual(MOST_OUTPUT);
        expect(reserve.tokens).toBe(input + output);
        expect(reserve.tokens).toBeLessThanOrEqual(tokens ?? Infinity);
        if (given === undefined) return;
        const cost = costOf({ input_tokens: input, output_tokens: output }, given);
        expect(reserve.cost_usd).toBe(cost);
        expect(cost).toBeLessThanOrEqual((cost_usd ?? Infinity) * (1 + 1e-9));
      }),
    );
  });

  it("is refused only where no answer fits", () => {
    expect(reserveFor(100, { tokens: 100 + LEAST_OUTPUT, cost_usd: undefined }, undefined)).toBeDefined();
    expect(reserveFor(100, { tokens: 99 + LEAST_OUTPUT, cost_usd: undefined }, undefined)).toBeUndefined();
    const dear = { input: 1_000_000, output: 1_000_000 };
    expect(reserveFor(100, { tokens: undefined, cost_usd: 100 + LEAST_OUTPUT }, dear)).toBeDefined();
    expect(reserveFor(100, { tokens: undefined, cost_usd: 50 }, dear)).toBeUndefined();
  });

  it("is nothing where dollars are limited and the price is not known; a model may be free", () => {
    const left = { tokens: undefined, cost_usd: 1_000 };
    expect(reserveFor(100, left, undefined)).toBeUndefined();
    expect(reserveFor(100, left, { input: 0, output: 0 })).toMatchObject({ cost_usd: 0 });
  });

  it("is of the smallest of all limits", () => {
    const left = leastLeft({ tokens: 5, cost_usd: undefined }, { tokens: 7, cost_usd: 2 });
    expect(left).toEqual({ tokens: 5, cost_usd: 2 });
  });
});

const BUDGET = { max_total_tokens: 50_000 };

describe("a call under a budget", () => {
  it("is not made by a model without a price where dollars are limited, and the reason says what to do", async () => {
    const health = { max_cost_usd: 5 };
    const at = await held({ health, rounds: [[LOOK], [DONE]] });
    await at.until("failed");
    expect(await at.data("runtime.request.failed")).toMatchObject([
      { code: "budget", error: expect.stringContaining("price: {input: 0, output: 0}") },
    ]);
    expect(await at.data("agent.usage")).toEqual([]);
    const free = { ...model([LOOK], [DONE]), price: { input: 0, output: 0 } };
    const other = await held({ health, models: [free] });
    await other.until("completed");
  });

  it("is put aside for before it is made, and settled after", async () => {
    const at = await held({ health: BUDGET, rounds: [[LOOK], [DONE]] });
    await at.until("completed");
    const types = (await at.events()).map(({ type }) => type);
    const order = types.filter((type) => ["runtime.budget.reserved", "agent.usage"].includes(type));
    expect(order).toEqual([
      "runtime.budget.reserved",
      "agent.usage",
      "runtime.budget.reserved",
      "agent.usage",
    ]);
    const { health } = await at.row();
    const used = (await at.data("agent.usage")).reduce((sum, one) => sum + Number(one["total_tokens"]), 0);
    expect(health.budget_pressure).toMatchObject({ max_total_tokens: { used, limit: 50_000 } });
  });

  it("costs nothing more in the log where nothing limits the session", async () => {
    const at = await held({ rounds: [[LOOK], [DONE]] });
    await at.until("completed");
    expect(await at.data("runtime.budget.reserved")).toEqual([]);
  });

  it.each<[string, readonly Step[], boolean]>([
    ["nothing, where the provider refused it", [{ fail: "No such key.", status: 401 }], false],
    ["all that was put aside, where it broke off", [{ say: "Half of" }, { cut: true }], true],
    ["all of it, where it failed in the middle", [{ say: "Half of" }, { fail: "Out.", status: 500 }], true],
    ["all of it, where it broke off before a word came", [{ cut: true }], true],
    ["all of it, where what came is no answer", [{ garbage: 7 }], true],
  ])("counts %s", async (_, steps, charged) => {
    const at = await held({ health: BUDGET, models: [model(steps)], start: { max_retries: 0 } });
    await at.until("failed");
    const [reserved] = await at.data("runtime.budget.reserved");
    expect((await at.data("agent.usage"))[0]).toMatchObject({
      estimated: true,
      total_tokens: charged ? reserved?.["tokens"] : 0,
    });
  });

  it("counts whole where the model was silent until its time was over", async () => {
    const at = await held({
      health: BUDGET,
      models: [model([{ hang: true }])],
      start: { max_retries: 0 },
    });
    await at.until("running");
    while ((await at.data("runtime.budget.reserved")).length === 0) await settle();
    await at.w.time.advance(3_600_000);
    await at.until("failed");
    const [reserved] = await at.data("runtime.budget.reserved");
    expect(await at.data("agent.usage")).toMatchObject([
      { estimated: true, total_tokens: reserved?.["tokens"] },
    ]);
  });

  it("counts whole where the provider does not say what it used", async () => {
    const says = model([DONE]);
    const mute: Model = {
      ...says,
      async *stream(request, signal) {
        for await (const part of says.stream(request, signal)) if (part.type !== "usage") yield part;
      },
    };
    const at = await held({ health: BUDGET, models: [mute] });
    await at.until("completed");
    const [reserved] = await at.data("runtime.budget.reserved");
    expect(await at.data("agent.usage")).toMatchObject([
      { estimated: true, total_tokens: reserved?.["tokens"] },
    ]);
  });
});
