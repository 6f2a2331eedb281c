import { describe, expect, it } from "vitest";
import { costOf } from "./cost.ts";

const PRICE = { input: 3, output: 15, cached_input: 0.3 };

describe("the cost of a call", () => {
  it("is dollars for a million tokens, in and out", () => {
    expect(costOf({ input_tokens: 1_000_000, output_tokens: 100_000 }, PRICE)).toBeCloseTo(4.5, 10);
    expect(costOf({ input_tokens: 0, output_tokens: 0 }, PRICE)).toBe(0);
  });

  it("is less for what the provider had cached", () => {
    const usage = { input_tokens: 1_000_000, output_tokens: 0, cached_input_tokens: 500_000 };
    expect(costOf(usage, PRICE)).toBeCloseTo(1.65, 10);
    expect(costOf(usage, { input: 3, output: 15 })).toBeCloseTo(3, 10);
  });

  it("is never below nothing, whatever a provider counts", () => {
    const usage = { input_tokens: 10, output_tokens: 0, cached_input_tokens: 1_000 };
    expect(costOf(usage, PRICE)).toBeCloseTo((10 * 0.3) / 1_000_000, 12);
  });
});
