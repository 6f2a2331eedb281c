import { expect, test } from "vitest";
import type { FrontendFrame } from "../src/index.ts";
import { EMPTY_SUMMARY, evolveSummary, timelineOf, wishedBy } from "../src/view/index.ts";
import { frame, shown } from "./support/frame.ts";

const state = (status: string) => frame("session_state", { session_id: "ses_1", status });
const pausing = () => frame("session_pausing", { session_id: "ses_1", actor: "ada", reason: "Lunch." });
const paused = frame("session_checkpoint", {
  checkpoint_type: "paused",
  status: "paused",
  summary_text: "Paused by ada: Lunch.",
});
const summaryOf = (...frames: readonly FrontendFrame[]) => frames.reduce(evolveSummary, EMPTY_SUMMARY);
const titlesOf = (...frames: readonly FrontendFrame[]) =>
  shown(timelineOf(frames)).map((row) => (row.kind === "notice" ? row.title : row.kind));

test("a pause is known to everybody from when it was ordered until it holds", () => {
  const running = state("running");
  const summary = summaryOf(running, pausing());
  expect(summary.pausing).toEqual({ actor: "ada", reason: "Lunch." });
  for (const status of ["paused", "cancelled", "completed", "failed", "needs_review"])
    expect([status, evolveSummary(summary, state(status)).pausing]).toEqual([status, null]);
  expect(evolveSummary(summary, state("recovering")).pausing).not.toBeNull();
  expect(evolveSummary(summary, frame("session_resuming", { actor: "bo", reason: "" })).pausing).toBeNull();
});

test("a pause is somebody's wish, or that of what it is held to", () => {
  expect([wishedBy("ada"), wishedBy("health")]).toEqual(["ada", "its policy"]);
});

test("what rests already is not about to pause", () => {
  expect(summaryOf(state("completed"), pausing()).pausing).toBeNull();
  expect(titlesOf(state("completed"), pausing())).toEqual([]);
});

test("the timeline says that it was ordered, and once it holds only that", () => {
  expect(titlesOf(state("running"), pausing())).toEqual(["Pausing after this step"]);
  expect(titlesOf(state("running"), pausing(), paused, state("paused"))).toEqual(["Paused"]);
  expect(titlesOf(state("running"), pausing(), frame("session_resuming", {}))).toEqual([]);
});

test("a state that is said again, as limits are changed, is no second row", () => {
  expect(titlesOf(paused, state("paused"), state("paused"))).toEqual(["Paused"]);
});

test("an order in the middle of an answer does not cut it", () => {
  const rows = timelineOf([
    state("running"),
    frame("token", { text: "One ", step: 1 }),
    pausing(),
    frame("token", { text: "moment", step: 1 }),
    frame("output_superseded", { step: 1, attempt: 1, reason: "The call was stopped." }),
  ]);
  const texts = rows.filter(({ kind }) => kind === "text");
  expect(texts).toMatchObject([{ text: "One moment", superseded: "The call was stopped." }]);
});
