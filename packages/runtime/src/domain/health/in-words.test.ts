import { expect, test } from "vitest";
import { inWords } from "./in-words.ts";
import { BUDGETS } from "./state.ts";

test("every budget is said in words, with both numbers and without its name", () => {
  for (const budget of BUDGETS) {
    const text = inWords([{ budget, limit: 10, value: 2204.5 }]);
    expect(text).toMatch(/\b10\b/);
    expect(text).toContain("2,204.5");
    expect(text).not.toContain("_");
  }
});

test("several are one sentence", () => {
  const crossed = [
    { budget: "max_total_tokens", limit: 10, value: 2204 },
    { budget: "max_cost_usd", limit: 0.5, value: 0.52 },
  ] as const;
  expect(inWords(crossed)).toBe(
    "The session has reached what its policy allows: 2,204 of 10 tokens are used; $0.52 of $0.5 are used.",
  );
});

test("what is used is told apart from what the next call may take", () => {
  const crossed = [
    { budget: "max_total_tokens", limit: 1_000, value: 3_100, used: 900 },
    { budget: "max_cost_usd", limit: 0.5, value: 0.52, used: 0 },
  ] as const;
  expect(inWords(crossed)).toContain("900 of 1,000 tokens are used, and the next call may take 2,200 more; ");
  expect(inWords(crossed)).toContain("$0 of $0.5 are used, and the next call may take $0.52 more.");
});
