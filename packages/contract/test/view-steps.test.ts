import { expect, test } from "vitest";
import type { FrontendFrame } from "../src/index.ts";
import { EMPTY_SUMMARY, evolveSummary, owedInWords, timelineOf } from "../src/view/index.ts";
import { frame, shown } from "./support/frame.ts";

const titles = (...frames: readonly FrontendFrame[]): readonly string[] =>
  shown(timelineOf(frames)).map((row) => (row.kind === "notice" ? row.title : row.kind));
const state = (status: string) => frame("session_state", { session_id: "ses_1", status });
const step = (index: number, status: string, title?: string) =>
  frame("step_progress", { step_id: `step-${index}`, index, status, title });
const checkpoint = (checkpoint_type: string, summary_text: string, status = checkpoint_type) =>
  frame("session_checkpoint", { session_id: "ses_1", checkpoint_type, status, summary_text });
const begun = () => frame("turn_start", { turn_id: "trn_1", input: "go" });
const ended = (status = "completed") => frame("turn_end", { turn_id: "trn_1", status });

test("a step under way waits while its session does, and runs again with it", () => {
  const frames = [state("running"), step(3, "running")];
  expect(titles(...frames)).toEqual(["Step 3 running"]);
  for (const status of ["paused", "awaiting_approval", "recovering"])
    expect(titles(...frames, state(status)), status).toContain("Step 3 waits");
  expect(titles(...frames, state("awaiting_approval"), state("running"))).toEqual(["Step 3 running"]);
  expect(titles(...frames, step(3, "running"))).toEqual(["Step 3 running"]);
  expect(titles(...frames, state("cancelled"))).toEqual([]);
});

test("a branch inherits no step that runs", () => {
  const frames = [step(1, "completed"), step(2, "running"), checkpoint("resume_seed", "Branched.", "idle")];
  expect(titles(...frames)).toEqual(["Step 1 completed", "Branched from here"]);
  const { steps } = frames.reduce(evolveSummary, EMPTY_SUMMARY);
  expect(steps.map(({ step_id }) => step_id)).toEqual(["step-1"]);
});

test.each(["completed", "cancelled"])("a step that ends with its turn is told by that: %s", (status) => {
  const frames = [begun(), step(1, "running"), ended(status), step(1, status, "answered")];
  const last = checkpoint("step", `step-1 ${status}: answered`, status);
  expect(titles(...frames, last)).toEqual(["said", "end"]);
  expect(timelineOf([...frames, last])).toHaveLength(5);
});

test("a checkpoint is one line, and says what the rows around it do not", () => {
  const rows = shown(
    timelineOf([
      checkpoint("queued", "Queued by root: a long: task"),
      checkpoint("resumed", "Resumed by root: no reason given", "queued"),
      checkpoint("paused", "Paused by root: To look."),
    ]),
  );
  expect(rows).toMatchObject([
    { slim: true, text: "Queued by root" },
    { slim: true, text: "Resumed by root" },
    { slim: true, text: "Paused by root: To look." },
  ]);
  expect(shown(timelineOf([checkpoint("needs_review", "Not proven.")]))[0]).not.toHaveProperty("slim");
});

test("guardrails that did nothing are a word at the end of the turn, and those that did have a row", () => {
  const watched = (count: number) =>
    frame("antahkarana", { summary: "s", guardrails: [{ name: "denied_calls", count }] });
  const calm = timelineOf([begun(), watched(0), ended()]);
  expect(shown(calm)).toMatchObject([{ kind: "said" }, { kind: "end", calm: true }]);
  expect(calm).toHaveLength(3);
  const held = shown(timelineOf([begun(), watched(1), ended()]));
  expect(held.map(({ kind }) => kind)).toEqual(["said", "cognition", "end"]);
  expect(held[2]).not.toHaveProperty("calm");
  // Where no turn ends after it, nothing else would say it.
  expect(shown(timelineOf([watched(0)]))).toHaveLength(1);
});

test("what a person took as it is says so, and nothing asks for it any more", () => {
  const review = checkpoint("needs_review", "Done after 1 step(s), without all that it owes.");
  expect(shown(timelineOf([review]))[0]).toMatchObject({ tone: "warning", next: expect.any(String) });
  const frames = [review, checkpoint("completed", "Accepted by ada: I ran it.")];
  const [asked, done] = shown(timelineOf(frames));
  expect(asked).toMatchObject({ title: "Needs review", tone: "calm" });
  expect(asked).not.toHaveProperty("next");
  expect(done).toMatchObject({ title: "Accepted", tone: "good", text: "Accepted by ada: I ran it." });
  expect(frames.reduce(evolveSummary, EMPTY_SUMMARY).accepted).toBe("Accepted by ada: I ran it.");
  const again = frame("verification", { status: "passed" });
  expect([...frames, again].reduce(evolveSummary, EMPTY_SUMMARY).accepted).toBe(null);
});

test("what is owed is named from the beginning, also what a newer server asks for", () => {
  expect(
    owedInWords([
      { kind: "command", command: "npm test" },
      { kind: "file", path: "a.md", subject: "The report" },
      { kind: "rule", rule: "tasks_completed" },
      { kind: "quantum" },
    ]),
  ).toEqual([
    "The command `npm test` succeeds",
    "The report",
    "All tasks are done",
    "Something that is not known here: quantum",
  ]);
  expect([owedInWords(undefined), owedInWords("odd")]).toEqual([[], []]);
});
