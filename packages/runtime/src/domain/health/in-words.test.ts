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
    "The session has reached what its policy allows: it comes to 2,204 tokens, and 10 are allowed; it comes to $0.52, and $0.5 are allowed.",
  );
});
