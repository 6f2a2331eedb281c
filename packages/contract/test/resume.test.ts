import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseResumeCursor, printResumeCursor, RESUME_KINDS, resumePoints, type Told } from "../src/index.ts";

describe("a resume cursor", () => {
  test("is what seed 000 shows", () => {
    expect(parseResumeCursor("compact:serve_demo:14")).toEqual({
      kind: "compact",
      session: "serve_demo",
      seq: 14,
    });
  });

  test("is read as it was printed", () => {
    const session = fc.stringMatching(/^[\w.@~+-]{1,128}$/);
    const seq = fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER });
    fc.assert(
      fc.property(fc.constantFrom(...RESUME_KINDS), session, seq, (kind, name, place) => {
        const cursor = { kind, session: name, seq: place };
        expect(parseResumeCursor(printResumeCursor(cursor))).toEqual(cursor);
      }),
    );
  });

  test.each([
    "",
    "turn",
    "turn:ses_1",
    "turn:ses_1:0",
    "turn:ses_1:-1",
    "turn:ses_1:1.5",
    "turn:ses_1:1e3",
    "turn:ses_1:01",
    "turn:ses_1:99999999999999999",
    "turn::1",
    "turn:a b:1",
    "turn:ses_1:1\n",
    "Turn:ses_1:1",
    "constructor:ses_1:1",
    "turn:ses_1:1:2",
  ])("%j is none", (text) => {
    expect(parseResumeCursor(text)).toBeUndefined();
  });
});

describe("resume points", () => {
  const event = (seq: number, type: string, payload: unknown): Told => ({
    id: `evt_${seq}`,
    seq,
    at: "2026-01-01T00:00:00.000Z",
    type,
    payload,
    session_id: "ses_1",
  });

  test("come from completed turns, approvals, checkpoints and compactions, in order", () => {
    const points = resumePoints([
      event(1, "turn_start", { turn_id: "t", input: "Fix\n the   boiler" }),
      event(2, "approval_required", { request_id: "apr_1", tool_name: "write_file", reason: "It writes." }),
      event(3, "approval_required", { kind: "user_input", tool_name: "ask", reason: "Which?" }),
      event(4, "completed", { turn_id: "t", output: "Done." }),
      event(5, "turn_start", { turn_id: "u", input: "stop" }),
      event(6, "error", { turn_id: "u", error: "stopped", code: "cancelled" }),
      event(7, "session_checkpoint", { checkpoint_type: "step", summary_text: "step-1 completed" }),
      event(8, "context_compacted", { summary: "Less.", resume_cursor: "compact:ses_1:7" }),
      event(9, "context_compacted", { summary: "Nothing to go back to.", resume_cursor: null }),
      event(10, "completed", { turn_id: "older", output: "Its start is not here." }),
    ]);
    expect(points.map(({ kind, label, seq, resume_cursor }) => [kind, label, seq, resume_cursor])).toEqual([
      ["approval", "write_file: It writes.", 2, "approval:ses_1:2"],
      ["turn", "Fix the boiler", 4, "turn:ses_1:4"],
      ["checkpoint", "step-1 completed", 7, "checkpoint:ses_1:7"],
      ["compact", "Less.", 8, "compact:ses_1:7"],
      ["turn", "Its start is not here.", 10, "turn:ses_1:10"],
    ]);
  });

  test("take any payload", () => {
    const types = fc.constantFrom(
      "turn_start",
      "completed",
      "session_checkpoint",
      "approval_required",
      "context_compacted",
    );
    fc.assert(
      fc.property(fc.array(fc.tuple(types, fc.anything())), (some) => {
        const points = resumePoints(some.map(([type, payload], i) => event(i + 1, type, payload)));
        expect(points.length).toBeLessThanOrEqual(some.length);
        for (const { label } of points) expect(label.length).toBeLessThanOrEqual(240);
      }),
    );
  });
});
