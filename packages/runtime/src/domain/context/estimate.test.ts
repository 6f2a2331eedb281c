import { describe, expect, it } from "vitest";
import type { Message } from "../../ports/model.ts";
import { contextTokens, ESTIMATE, messageTokens } from "./estimate.ts";

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

  it("is the same however often a conversation was counted before, also after its middle changed", () => {
    const user = (text: string) => ({ role: "user", text }) as const;
    const anew = (all: readonly Message[]) => all.reduce((sum, one) => sum + messageTokens(one, ESTIMATE), 0);
    const messages: Message[] = [user("who"), user("one"), user("two")];
    const counts = () => expect(contextTokens(messages, [], ESTIMATE)).toBe(anew(messages));
    counts();
    messages.push(user("three, which is longer"));
    counts();
    messages[2] = user("two, in other words");
    counts();
    messages.splice(2, 1);
    counts();
    messages[0] = user("somebody else");
    counts();
    const twice = { method: "other", count: (text: string) => ESTIMATE.count(text) * 2 };
    expect(contextTokens(messages, [], twice)).toBeGreaterThan(contextTokens(messages, [], ESTIMATE));
  });
});
