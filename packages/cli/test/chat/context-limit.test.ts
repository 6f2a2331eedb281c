import type { ModelRow } from "@fairlead/contract";
import { describe, expect, test } from "vitest";
import { withContextLimit } from "../../src/chat/context-limit.ts";
import { plainLine } from "../../src/chat/span.ts";
import { statusLine } from "../../src/chat/status-line.ts";
import { EMPTY_VIEW } from "../../src/chat/view.ts";
import { folded, frame } from "./support.ts";

const row = (name: string, model: string, context_tokens: number | null, first = false): ModelRow => ({
  name,
  provider: "compatible",
  model,
  default: first,
  fallback: null,
  has_key: null,
  context_tokens,
  price: null,
});

const MODELS = [
  row("main", "m-1", 1_000, true),
  row("other", "m-2", 4_000),
  row("twin", "m-2", 8_000),
  row("dark", "m-3", null),
];
const limit = (model: string | null, known: number | null = null): number | null =>
  withContextLimit({ ...EMPTY_VIEW, model, contextLimit: known }, MODELS).contextLimit;

describe("how much a context takes", () => {
  test("is known of the model in use, by its own name or its provider's", () => {
    expect(limit(null)).toBe(1_000);
    expect(limit("other")).toBe(4_000);
    expect(limit("m-1")).toBe(1_000);
    // What a warning said of the model before does not hold for this one.
    expect(limit("other", 1_000)).toBe(4_000);
  });

  test("is what a warning said, or unknown, where the list does not tell", () => {
    for (const model of ["m-2", "dark", "m-3", "nobody"]) {
      expect(limit(model)).toBeNull();
      expect(limit(model, 500)).toBe(500);
    }
    expect(withContextLimit(EMPTY_VIEW, []).contextLimit).toBeNull();
  });

  test("is a percentage before any warning, of the session's own calls and model", () => {
    const own = frame("usage", { model: "m-1", input_tokens: 200, output_tokens: 50 });
    const below = frame("usage", {
      model: "m-2",
      input_tokens: 3_000,
      output_tokens: 9,
      subagent: { agent_id: "subagent_1" },
    });
    const view = withContextLimit(folded([own, below]), MODELS);
    const at = { now: 0, connection: undefined, session: null };
    expect(plainLine(statusLine(view, at, 80))).toBe("○ ready · m-1 · ctx 25% · 3.2k in 59 out");
    expect(plainLine(statusLine(folded([own]), at, 80))).toContain("ctx 250 ");
  });
});
