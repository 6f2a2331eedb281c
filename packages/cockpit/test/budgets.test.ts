import { expect, test } from "vitest";
import { budgetsOf, crossingText } from "../src/session/budgets.ts";

const health = (budget_pressure: Record<string, unknown>) => ({
  session_id: "ses_1",
  score: 100,
  flags: [],
  budget_pressure,
});
const NOTHING = { tokens: 0, cost: 0 };

test("meters show what the snapshot measured against the limit that holds, each always in its place", () => {
  const found = budgetsOf(
    health({
      max_total_tokens: { used: 100, limit: 1_000, percent: 10 },
      max_failed_tool_calls: { used: 2, limit: 2, percent: 100 },
      max_cost_usd: { used: 0.5, limit: 1, percent: 50 },
    }),
    NOTHING,
  );
  expect(found.map(({ label, text }) => `${label}: ${text}`)).toEqual([
    "Tokens: 100 of 1000",
    "Cost: $0.5000 of $1.00",
    "Failed calls: 2 of 2",
  ]);
});

test("what was counted since the snapshot holds over it, and never shows less", () => {
  const pressure = { max_total_tokens: { used: 100, limit: 1_000 }, max_cost_usd: { used: 2, limit: 4 } };
  const used = budgetsOf(health(pressure), { tokens: 900, cost: 1 }).map(({ name, used }) => [name, used]);
  expect(used).toEqual([
    ["max_total_tokens", 900],
    ["max_cost_usd", 2],
  ]);
});

test("a limit of nothing is used up by anything; what is no measure is left out, what is new is named", () => {
  const found = budgetsOf(
    health({
      max_total_tokens: "much",
      max_cost_usd: null,
      max_loop_warnings: { used: 1, limit: 0 },
      max_new_thing: { used: 1, limit: 10 },
    }),
    NOTHING,
  );
  expect(found.map(({ label }) => label)).toEqual(["Loop warnings", "new thing"]);
  expect(budgetsOf(null, NOTHING)).toEqual([]);
});

test("held for what the next call would use, the meter shows what is used and names the rest apart", () => {
  const held = (outcome: string) => ({
    ...health({ max_total_tokens: { used: 0, limit: 10 } }),
    policy: {
      enforcement: { outcome, crossed: [{ budget: "max_total_tokens", limit: 10, value: 2_203 }] },
    },
  });
  expect(budgetsOf(held("open"), NOTHING)[0]).toMatchObject({
    used: 0,
    text: "0 of 10",
    next: "the next call: up to 2203",
  });
  expect(budgetsOf(held("approved"), NOTHING)[0]).toMatchObject({ used: 0, next: null });
});

test("a limit that was reached says what is used, of what, and what would come on top", () => {
  const tokens = { budget: "max_total_tokens", limit: 1_000 };
  expect(crossingText({ ...tokens, value: 1_200, used: null })).toBe("1200 of 1000 used");
  expect(crossingText({ ...tokens, value: 3_100, used: 900 })).toBe(
    "900 of 1000 used, and the next call may take 2200 more",
  );
  expect(crossingText({ budget: "min_score", limit: 60, value: 40, used: null })).toBe(
    "40, and 60 is the least allowed",
  );
});

test("odd limits in a snapshot are passed over", () => {
  const odd = {
    ...health({ max_total_tokens: { used: 0, limit: 10 }, constructor: { used: 1, limit: 2 } }),
    policy: { enforcement: { outcome: "open", crossed: [null, 1, "x", { budget: 1 }, { budget: "y" }] } },
  };
  expect(budgetsOf(odd, NOTHING).map(({ text, next }) => [text, next])).toEqual([
    ["0 of 10", null],
    ["1 of 2", null],
  ]);
});
