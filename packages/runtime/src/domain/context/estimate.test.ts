import { describe, expect, it } from "vitest";
import { contextTokens, ESTIMATE } from "./estimate.ts";

describe("the estimate of tokens", () => {
  it("is not too small for texts that are not English", () => {
    expect(ESTIMATE.count("a".repeat(3_500))).toBe(1_000);
    // About a token for each sign, as tokenizers make of them.
    expect(ESTIMATE.count("文字".repeat(500))).toBeGreaterThan(800);
    expect(ESTIMATE.count("слово ".repeat(100))).toBeGreaterThan(300);
  });

  it("counts what the model thought and is told again", () => {
    const said = { role: "assistant", text: "Yes." } as const;
    const thought = { blocks: [{ type: "thinking", text: "Let me see. ".repeat(1_000), meta: {} }] };
    const both = contextTokens([{ ...said, provider_data: thought }], [], ESTIMATE);
    expect(both - contextTokens([said], [], ESTIMATE)).toBeGreaterThan(3_000);
  });
});
