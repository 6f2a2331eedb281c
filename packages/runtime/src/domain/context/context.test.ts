import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Message } from "../../ports/model.ts";
import { compact } from "./compact.ts";
import { DIGEST_MARK } from "./digest.ts";
import { contextTokens, ESTIMATE, messageTokens } from "./estimate.ts";
import { reached } from "./thresholds.ts";

const NOTHING = { tasks: [], decisions: [] };
const room = (tokens: number) => ({ tokens, messages: 400, digest: 2_000 });

function conversation(turns: number, words = 50): Message[] {
  return Array.from({ length: turns }, (_, i): Message[] => [
    { role: "user", text: `request ${i} ${"word ".repeat(words)}` },
    {
      role: "assistant",
      text: "",
      tool_calls: [{ tool_call_id: `c${i}`, name: "read_file", arguments: `{"path":"f${i}"}` }],
    },
    { role: "tool", tool_call_id: `c${i}`, name: "read_file", text: "line ".repeat(words), failed: false },
    { role: "assistant", text: `done ${i}` },
  ]).flat();
}

describe("compaction", () => {
  it("keeps recent work from a request on, and what must not be forgotten", () => {
    const messages = conversation(20);
    const kept = { tasks: ["write the tests"], decisions: ["ada approved write_file"] };
    const made = compact(messages, room(500), kept, ESTIMATE);
    expect(made).toBeDefined();
    const rest = messages.slice(messages.length - (made?.preserved ?? 0));
    expect(rest[0]?.role).not.toBe("tool");
    expect(contextTokens(rest, [], ESTIMATE)).toBeLessThan(900);
    expect(made?.summary).toContain("Asked: request 3");
    expect(made?.summary).toContain('read_file {"path":"f3"}');
    expect(made?.summary).toContain("write the tests");
    expect(made?.summary).toContain("ada approved write_file");
    expect(made?.tokens_saved).toBeGreaterThan(0);
  });

  it("carries an earlier summary on, and never keeps a result without its call", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 10, max: 4_000 }), (turns, budget) => {
        const earlier: Message = {
          role: "user",
          injected: true,
          text: `${DIGEST_MARK}\n- Asked: long ago`,
        };
        const messages = [earlier, ...conversation(turns)];
        const made = compact(messages, room(budget), NOTHING, ESTIMATE);
        if (made === undefined) return;
        expect(made.summary.startsWith(DIGEST_MARK)).toBe(true);
        expect(made.summary).toContain("long ago");
        const rest = messages.slice(messages.length - made.preserved);
        expect(rest.length).toBeGreaterThan(0);
        expect(rest[0]?.role).not.toBe("tool");
      }),
    );
  });

  it("cuts inside a long turn too, and keeps its request word for word", () => {
    const request = `do it ${"exactly so ".repeat(100)}`;
    const steps = conversation(30).filter(({ role }) => role !== "user");
    const made = compact(
      [{ role: "user", text: request }, ...steps],
      room(300),
      { ...NOTHING, request },
      ESTIMATE,
    );
    expect(made?.summary).toContain(request);
    expect(made?.preserved).toBeLessThan(20);
  });

  it("does nothing where nothing is gained", () => {
    expect(compact(conversation(1), room(10_000), NOTHING, ESTIMATE)).toBeUndefined();
    expect(compact([{ role: "user", text: "x".repeat(9_000) }], room(10), NOTHING, ESTIMATE)).toBeUndefined();
  });
});

describe("the estimate", () => {
  it("counts a message once, and more for more", () => {
    const message: Message = { role: "user", text: "x".repeat(350) };
    expect(messageTokens(message, ESTIMATE)).toBe(104);
    expect(messageTokens(message, ESTIMATE)).toBe(104);
    expect(contextTokens([message, message], [], ESTIMATE)).toBe(208);
  });

  it("warns at each share once it is reached", () => {
    expect([10, 70, 84, 85, 95, 120].map((used) => reached(used, 100))).toEqual([
      null,
      0.7,
      0.7,
      0.85,
      0.95,
      0.95,
    ]);
  });
});
