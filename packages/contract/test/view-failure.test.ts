import { describe, expect, test } from "vitest";
import { type FrontendFrame, TURN_FAILURES } from "../src/index.ts";
import { timelineOf } from "../src/view/index.ts";
import { frame, shown } from "./support/frame.ts";

const said = frame("turn_start", { turn_id: "t1", input: "Go" });
const ended = frame("turn_end", { turn_id: "t1", status: "failed", reason: "model_refused" });
const error = frame("error", { turn_id: "t1", error: "The key is wrong.", code: "model_refused" });
const state = (status: string, more: object = {}) => frame("session_state", { status, ...more });
const checkpoint = (checkpoint_type: string, summary_text: string, more: object = {}) =>
  frame("session_checkpoint", { checkpoint_type, status: checkpoint_type, summary_text, ...more });

/** All that background work says when its model refuses, in the order of the log. */
const FAILED = [
  said,
  frame("step_progress", { step_id: "step-1", status: "running", index: 1 }),
  ended,
  error,
  frame("step_progress", { step_id: "step-1", status: "failed", index: 1 }),
  checkpoint("step", "step-1 failed: asked the model", { status: "failed" }),
  checkpoint("failed", "The key is wrong. (model_refused)"),
  state("failed", { last_error: "The key is wrong." }),
];

describe("one failure is one row", () => {
  test("with the cause and what to do about it; what else tells of it is for the debug tier", () => {
    const rows = timelineOf(FAILED);
    expect(shown(rows)).toMatchObject([
      { kind: "said" },
      {
        kind: "notice",
        notice: "error",
        title: TURN_FAILURES.model_refused,
        text: "The key is wrong.",
        next: expect.stringContaining("branch from here"),
      },
    ]);
    expect(rows).toHaveLength(FAILED.length);
  });

  test.each(FAILED.map((_, from) => from))("also in a window that begins at its event %i", (from) => {
    const failures = shown(timelineOf(FAILED.slice(from))).filter(
      (row) => row.kind === "end" || (row.kind === "notice" && row.tone === "bad"),
    );
    // A step that failed is all that is known of it until its checkpoint says why.
    expect(failures.length).toBeGreaterThanOrEqual(1);
    expect(failures.length).toBeLessThanOrEqual(from < 4 ? 1 : 2);
  });

  test("and another failure is another row, whatever was told before", () => {
    const again = [
      frame("turn_start", { turn_id: "t2", input: "Again" }),
      frame("error", { turn_id: "t2", error: "Still wrong.", code: "model_refused" }),
      frame("error", { turn_id: "t2", error: "And now this.", code: "of_a_newer_server" }),
      state("failed", { last_error: "Out of disk." }),
    ];
    const texts = shown(timelineOf([...FAILED, ...again])).flatMap((row) =>
      row.kind === "notice" && row.tone === "bad" ? [row.text] : [],
    );
    expect(texts).toEqual(["The key is wrong.", "Still wrong.", "And now this.", "Out of disk."]);
  });

  test("every failure has a next action, also one of a newer server", () => {
    for (const code of [...Object.keys(TURN_FAILURES), "of_a_newer_server"]) {
      if (code === "budget") continue;
      const [row] = timelineOf([frame("error", { turn_id: "t1", error: "x", code })]);
      expect([code, row?.kind === "notice" && (row.next ?? "").length > 10]).toEqual([code, true]);
    }
  });

  test("a turn whose cause is not in the window says that it failed", () => {
    expect(shown(timelineOf([ended]))).toMatchObject([{ kind: "end", status: "failed" }]);
  });

  test("one that expires while nobody drives it says so once", () => {
    const rows = shown(
      timelineOf([
        state("paused"),
        checkpoint("expired", "Its time was over. (expires_at x)", { status: "failed" }),
        state("failed", { last_error: "Its time was over." }),
      ]),
    );
    expect(rows.slice(1)).toMatchObject([{ title: TURN_FAILURES.expired, tone: "bad" }]);
  });
});

describe("a failure that is tried again by itself", () => {
  const context = { kind: "retry", code: "model_error", error: "Overloaded.", attempt: 1, until: "T" };
  const retry = [
    frame("turn_end", {
      turn_id: "t1",
      status: "parked",
      reason: "Tried again after: Overloaded.",
      waits: [{ kind: "timer", until: "T" }],
    }),
    checkpoint("recovering", "Tried again after: Overloaded. (model_error)", { details: context }),
    state("recovering", { last_error: "Overloaded.", resume_context: context }),
  ];

  test("is one row that says when, and alarms nobody", () => {
    expect(shown(timelineOf(retry))).toMatchObject([
      { notice: "error", tone: "warning", title: TURN_FAILURES.model_error, text: "Overloaded." },
    ]);
    expect(shown(timelineOf(retry))[0]).toMatchObject({ next: expect.stringContaining("by itself at T") });
  });

  test("does not hide the failure that ends it", () => {
    const end = [...retry, frame("error", { turn_id: "t1", error: "Overloaded.", code: "model_error" })];
    expect(shown(timelineOf(end)).filter((row) => row.kind === "notice" && row.tone === "bad")).toHaveLength(
      1,
    );
  });

  test("says that it was tried again once it was, and the same failure again is the same row still", () => {
    const anew = (frames: readonly FrontendFrame[]) =>
      frames.map((one, index) => ({ ...one, id: `e${index}`, seq: index + 1 }));
    const going = shown(timelineOf(anew([...retry, state("running")])));
    expect(going).toMatchObject([{ tone: "calm", next: "It was tried again." }]);
    const twice = shown(timelineOf(anew([...retry, state("running"), ...retry])));
    expect(twice).toMatchObject([{ tone: "warning", next: expect.stringContaining("by itself at T") }]);
    const ended = frame("error", { turn_id: "t1", error: "Overloaded.", code: "model_error" });
    expect(shown(timelineOf(anew([...retry, state("running"), ended])))).toMatchObject([{ tone: "bad" }]);
    const other = frame("error", { turn_id: "t1", error: "Out of disk.", code: "internal" });
    expect(shown(timelineOf(anew([...retry, state("running"), other])))).toHaveLength(2);
  });
});

test("work that needs review says so once, with what to do", () => {
  const rows = shown(
    timelineOf([checkpoint("needs_review", "Done, without all that it owes."), state("needs_review")]),
  );
  expect(rows).toMatchObject([{ title: "Needs review", next: expect.stringContaining("Accept it") }]);
});
