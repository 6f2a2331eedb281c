import { describe, expect, it } from "vitest";
import { costOf, mostOf } from "./cost.ts";

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

  it("is more for what the provider writes into its cache, and that is put aside", () => {
    const usage = {
      input_tokens: 1_000_000,
      output_tokens: 0,
      cached_input_tokens: 400_000,
      cache_write_tokens: 500_000,
    };
    const price = { ...PRICE, cache_write: 3.75 };
    expect(costOf(usage, price)).toBeCloseTo(0.12 + 1.875 + 0.3, 10);
    expect(costOf(usage, PRICE)).toBeCloseTo(0.12 + 1.8, 10);
    expect(mostOf(1_000_000, 100_000, price)).toBeCloseTo(3.75 + 1.5, 10);
    expect(mostOf(1_000_000, 100_000, PRICE)).toBeCloseTo(4.5, 10);
  });

  it("is never below nothing, whatever a provider counts", () => {
    const usage = { input_tokens: 10, output_tokens: 0, cached_input_tokens: 1_000 };
    expect(costOf(usage, PRICE)).toBeCloseTo((10 * 0.3) / 1_000_000, 12);
  });
});
