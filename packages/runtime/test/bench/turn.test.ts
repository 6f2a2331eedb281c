import { expect, it } from "vitest";
import { turn } from "../../../../bench/turn.ts";

const number = expect.any(Number) as number;

it("the benchmark of turns runs whole turns on each side and says what it promises", async () => {
  const found = await turn({ warm: 1, pairs: 2, crowds: 1, deep: 1, depth: 3, at_once: 2 });
  expect(found).toEqual({
    bench: "turn",
    one_tool: {
      p50_ms: number,
      raw_p50_ms: number,
      ratio: number,
      turns_per_s_32: number,
      raw_turns_per_s_32: number,
    },
    text200: { p50_ms: number, raw_p50_ms: number, ratio: number, first_token_over_raw_ms: number },
    served: { one_tool_ratio: number },
    deep_ratio: number,
    durable_events_per_turn: number,
    bytes_per_turn: number,
  });
  expect(Object.values(found["one_tool"] as object).every((value) => value > 0)).toBe(true);
});
