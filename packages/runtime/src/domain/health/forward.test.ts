import type { HealthSnapshot } from "@fairlead/contract";
import { expect, test } from "vitest";
import { noEarlier } from "./forward.ts";

function after(minutes: number, limit?: number): HealthSnapshot {
  return {
    session_id: "ses_1",
    score: 100,
    flags: [],
    usage: { runtime_minutes: Math.floor(minutes), tokens: 7 },
    budget_pressure:
      limit === undefined
        ? {}
        : {
            max_runtime_minutes: { used: minutes, limit, percent: Math.round((minutes / limit) * 100) },
            max_total_tokens: { used: 7, limit: 10, percent: 70 },
          },
    recovery_hint: null,
  };
}

test("time that was said to have passed does not become less", () => {
  const said = noEarlier(after(5.02, 10), after(4.99, 10));
  expect(said.usage).toEqual({ runtime_minutes: 5, tokens: 7 });
  expect(said.budget_pressure).toEqual({
    max_runtime_minutes: { used: 5.02, limit: 10, percent: 50 },
    max_total_tokens: { used: 7, limit: 10, percent: 70 },
  });
});

test("time that passes is said as it is, and the first snapshot too", () => {
  expect(noEarlier(after(5, 10), after(6, 10))).toEqual(after(6, 10));
  expect(noEarlier(undefined, after(6, 10))).toEqual(after(6, 10));
  expect(noEarlier(after(5, 10), after(6))).toEqual(after(6));
});

test("a limit that was set anew is measured by what was used", () => {
  const said = noEarlier(after(5, 10), after(4.999, 20));
  expect(said.budget_pressure?.["max_runtime_minutes"]).toEqual({ used: 5, limit: 20, percent: 25 });
});
