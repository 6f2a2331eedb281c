import type { AnyEvent } from "@fairlead/contract";
import { expect, test } from "vitest";
import { countDeed, noDeeds } from "./compare.ts";

const event = (type: string, turn_id: string | null, data: object) =>
  ({ type, turn_id, data: { turn_id, ...data } }) as unknown as AnyEvent;

test("a turn that was open where they part is told by its end, and one that began since by both", () => {
  const deeds = noDeeds();
  countDeed(deeds, event("runtime.request.completed", "trn_1", { output: "done" }));
  countDeed(deeds, event("runtime.request.started", "trn_2", { input: "next" }));
  countDeed(deeds, event("runtime.request.failed", "trn_2", { error: "no" }));
  expect(deeds.turns).toEqual([
    { turn_id: "trn_1", input: "", outcome: "completed", result: "done" },
    { turn_id: "trn_2", input: "next", outcome: "failed", result: "no" },
  ]);
});

test("an end of no turn is no turn", () => {
  const deeds = noDeeds();
  countDeed(deeds, event("runtime.request.failed", null, { error: "no" }));
  expect(deeds.turns).toEqual([]);
});

test("a price of 0 is a price, and tokens without one have none", () => {
  const usage = (cost?: number) =>
    event("agent.usage", "trn_1", { total_tokens: 5, ...(cost === undefined ? {} : { cost_usd: cost }) });
  const deeds = noDeeds();
  countDeed(deeds, usage());
  expect(deeds).toMatchObject({ total_tokens: 5, cost_usd: 0, priced: false });
  countDeed(deeds, usage(0));
  expect(deeds).toMatchObject({ total_tokens: 10, cost_usd: 0, priced: true });
});
