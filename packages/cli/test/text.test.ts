import type { FrontendFrame } from "@fairlead/contract";
import { describe, expect, test } from "vitest";
import { createOutput } from "../src/output.ts";
import { frameLine } from "../src/render.ts";
import { oneLine, printable, table } from "../src/text.ts";
import { ago, momentOf } from "../src/time.ts";

const out = createOutput(process, { NO_COLOR: "1" }, false);

const frame = (type: string, payload: unknown): FrontendFrame => ({
  type,
  payload,
  id: "evt_1",
  seq: 7,
  session_id: "ses_abcdef123456",
  at: "2025-01-01T10:20:30.000Z",
  tier: "default",
});

describe("text from elsewhere", () => {
  test("cannot drive the terminal", () => {
    expect(printable("a\u001b]0;title\u0007b\u009b2Jc\td\ne\r\u202e")).toBe(
      "a\ufffd]0;title\ufffdb\ufffd2Jc\td\ne\ufffd",
    );
    expect(frameLine(frame("token", { text: "\u001b[31m" }), out, false)).not.toContain("\u001b");
    expect(frameLine(frame("\u001b[2J", {}), out, false)).not.toContain("\u001b");
  });

  test("is cut to what fits", () => {
    expect(oneLine("a  b\nc", 10)).toBe("a b c");
    expect(oneLine("abcdef", 4)).toBe("abc…");
    expect(
      table(
        [
          ["a", "bb", "c"],
          ["aaa", "b", "cccccccccc"],
        ],
        12,
      ),
    ).toBe("a  bb\n  c\naaa  b\n  cccccccccc");
    expect(table([["id", "x".repeat(90)]], 40)).toBe(`id  ${"x".repeat(35)}…`);
  });

  test("goes on in a second line where the terminal is narrow, and ids stay whole", () => {
    const id = "ses_01m7gpnzj07zqrcktk00001fwy";
    const title = "A title that is far too long for one line of such a terminal";
    const lines = table([[id, "running", "12 m ago", "120 events", title]], 60).split("\n");
    expect(lines).toEqual([
      `${id}  running  12 m ago`,
      "  120 events",
      "  A title that is far too long for one line of such a …",
    ]);
    expect(lines.every((line) => line.length <= 60)).toBe(true);
  });
});

describe("a frame on a line", () => {
  test("says what matters", () => {
    const line = (type: string, payload: unknown) => frameLine(frame(type, payload), out, false);
    expect(line("turn_end", { turn_id: "t", status: "failed", reason: "no" })).toBe(
      "    7  10:20:30  turn_end          failed: no",
    );
    expect(line("gap", { from_seq: 1, to_seq: 6, reason: "trimmed" })).toContain("events 1 to 6 are gone");
    expect(frameLine(frame("token", { text: "x" }), out, true)).toMatch(/^…123456 {5}7 /);
  });

  test("is shown raw when it is not known, or not as expected", () => {
    expect(frameLine(frame("of.tomorrow", { a: 1 }), out, false)).toContain('{"a":1}');
    expect(frameLine(frame("turn_start_tools", null), out, false)).toContain("turn_start_tools");
    const runtime = {
      type: "runtime.x",
      requestId: "r",
      sessionId: "s",
      agentId: "a",
      id: "e",
      seq: 1,
      at: "2025-01-01T10:20:30.000Z",
      extra: 1,
    };
    expect(frameLine(runtime, out, false)).toContain('{"extra":1}');
  });
});

test("time spans are read and told", () => {
  const now = Date.parse("2025-01-01T00:00:00.000Z");
  expect(momentOf("30d", now)).toBe("2025-01-31T00:00:00.000Z");
  expect(momentOf("2w", now)).toBe("2025-01-15T00:00:00.000Z");
  expect(momentOf("2030-01-31", now)).toBe("2030-01-31T00:00:00.000Z");
  for (const bad of ["30", "d", "-1d", "tomorrow", "2025-99-99", ""])
    expect(momentOf(bad, now)).toBeUndefined();
  expect(
    [5_000, 90_000, 7_200_000, 90_000_000].map((ms) => ago(new Date(now - ms).toISOString(), now)),
  ).toEqual(["5 s ago", "1 m ago", "2 h ago", "1 d ago"]);
});
