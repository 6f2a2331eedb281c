import { describe, expect, test } from "vitest";
import { call, callJson, makePlace } from "./support.ts";

interface Row {
  readonly session_id: string;
}

describe("sessions health", () => {
  test("shows a score, what it was taken for, and budgets as bars", async () => {
    const place = makePlace();
    await call(place, ["sessions", "start", "please fail", "--follow", "--max-retries", "0"]);
    const { rows } = await callJson<{ rows: Row[] }>(place, ["sessions", "--kind", "background"]);
    const session = rows[0]?.session_id ?? "";
    await call(place, ["sessions", "policy", session, "--health", '{"max_total_tokens":1000}']);
    const shown = await call(place, ["sessions", "health", session]);
    expect(shown).toMatchObject({ code: 0 });
    expect(shown.stdout).toMatch(/^40 of 100 {2}█{8}░{12} {2}degraded\n/);
    expect(shown.stdout).toMatch(/state +-60/);
    expect(shown.stdout).toMatch(/max_total_tokens +░{20} +0 of 1000 \(0 %\)/);
    const asJson = await callJson<Record<string, unknown>>(place, ["sessions", "health", session]);
    expect(asJson).toMatchObject({ session_id: session, score: 40, flags: ["degraded"] });
  });

  test("of a session that is none is refused with a code", async () => {
    const place = makePlace();
    await callJson(place, ["sessions", "start", "count"]);
    const outcome = await call(place, ["sessions", "health", "ses_nobody", "--json"]);
    expect(outcome.code).toBe(1);
    expect(JSON.parse(outcome.stderr.trim().split("\n").at(-1) ?? "{}")).toMatchObject({
      code: "session_not_found",
    });
  });
});
