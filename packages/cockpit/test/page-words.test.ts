import { ERRORS } from "@fairlead/contract";
import { expect, test } from "vitest";
import { localTimes, pageHint } from "../src/lib/page-words.ts";
import { hintInWords, hintOf } from "../src/session/health.ts";

test("what the page says to do about an error never speaks of requests", () => {
  for (const [code, { hint }] of Object.entries(ERRORS)) {
    const said = pageHint(code, hint);
    expect([code, said]).not.toEqual([code, ""]);
    expect([code, said]).not.toEqual([
      code,
      expect.stringMatching(/`|GET |POST |PATCH |details|header\b|cursor/),
    ]);
  }
});

test("a code of a newer server: its hint is shown where it is for people", () => {
  expect(pageHint("quite_new", "Try it tomorrow.")).toBe("Try it tomorrow.");
  expect(pageHint("quite_new", "See `GET /things`.")).toBe("");
  expect(pageHint("toString", "POST /things does it.")).toBe("");
});

test("what would help a session is said in the page's words", () => {
  const hints = [
    "Decide what is asked: `GET /approvals`.",
    "A sub-agent waits for a person: x. Decide it: `GET /approvals?session_id=ses_1`.",
    "`last_error` says why. Mend that, then `POST /sessions/{id}/resume`.",
    "Something new: `POST /things` does it.",
  ];
  for (const hint of hints) expect(hintInWords(hint)).not.toMatch(/`|GET |POST |_/);
  expect(hintInWords(hints[2]!)).toBe("The last error, under Details, says why. Mend that, then Resume.");
  expect(hintInWords("Just so.")).toBe("Just so.");
});

test("when it goes on by itself is told by the reader's clock", () => {
  const recovery_hint =
    "It waits. It goes on by itself at 2026-01-02T00:00:00.000Z; `POST /sessions/{id}/resume` tries it now.";
  const health = { session_id: "ses_1", score: 100, flags: [], recovery_hint };
  expect(hintOf(health, () => "midnight")).toBe(
    "It waits. It goes on by itself at midnight; Resume tries it now.",
  );
  expect(hintOf({ ...health, recovery_hint: null }, String)).toBeNull();
});

test("times are told by the reader's clock, and nothing else is touched", () => {
  const text = "Ada decided at 2026-01-02T03:04:05.678Z, in 2026-01, file 2026-01-02.txt.";
  expect(localTimes(text, () => "3:04")).toBe("Ada decided at 3:04, in 2026-01, file 2026-01-02.txt.");
});
