import { globSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { type FrontendFrame, streamEvents } from "../src/index.ts";
import {
  createTimeline,
  EMPTY_SUMMARY,
  type Entry,
  evolveSummary,
  TIMELINE,
  timelineOf,
} from "../src/view/index.ts";
import { AT, frame } from "./support/frame.ts";

/** Whole sessions, as the runtime's golden tests keep them. */
const GOLDEN = globSync(new URL("../../runtime/test/golden/*.frontend.jsonl", import.meta.url).pathname).map(
  (file) => ({
    name: file.split("/").at(-1) ?? file,
    frames: readFileSync(file, "utf8")
      .split("\n")
      .filter((line) => line.startsWith("{"))
      .map((line, index) => ({
        id: `evt_${index}`,
        seq: index + 1,
        at: AT,
        ...JSON.parse(line),
      })) as FrontendFrame[],
  }),
);

const kinds = (entries: readonly Entry[]) =>
  entries.filter(({ tier }) => tier === "default").map(({ kind }) => kind);

test("the handled set is the set that streams can carry", () => {
  expect(Object.keys(TIMELINE).toSorted()).toEqual(
    streamEvents()
      .map(({ name }) => name)
      .toSorted(),
  );
});

test("there are golden sessions to fold", () => expect(GOLDEN.length).toBeGreaterThan(10));

describe.each(GOLDEN)("$name", ({ frames }) => {
  test("one by one gives the same rows as all at once", () => {
    const timeline = createTimeline();
    let rows: readonly Entry[] = [];
    for (const one of frames) rows = timeline.push([one]);
    expect(rows).toEqual(timelineOf(frames));
    expect(rows.length).toBeGreaterThan(0);
  });

  test("any window of it can be folded, and its rows have keys of their own", () => {
    for (let from = 0; from < frames.length; from++) {
      const keys = timelineOf(frames.slice(from)).map(({ key }) => key);
      expect(new Set(keys).size).toBe(keys.length);
    }
  });

  test("what comes twice changes nothing of the summary", () => {
    const once = frames.reduce(evolveSummary, EMPTY_SUMMARY);
    expect(frames.reduce(evolveSummary, once)).toEqual(once);
  });
});

test("a whole turn: said, thought, called, asked, decided, answered, ended", () => {
  const rows = timelineOf([
    frame("turn_start", { turn_id: "trn_1", input: "Do it" }),
    frame("thinking", { text: "I " }),
    frame("thinking", { text: "think." }),
    frame("token", { text: "Wor", step: 1 }),
    frame("token", { text: "king", step: 1 }),
    frame("response", { text: "Working", step: 1 }),
    frame("approval_required", {
      request_id: "apr_1",
      tool_name: "shell",
      reason: "May I?",
      tool_call_id: "c1",
    }),
    frame("approval_applied", {
      request_id: "apr_1",
      tool_name: "shell",
      decision: "approved",
      actor: "ada",
      decided_at: AT,
    }),
    frame("tool_call", {
      name: "shell",
      arguments: { command: "ls", _tool_call_id: "c1" },
      tool_call_id: "c1",
    }),
    frame("tool_outcome", {
      tool_call_id: "c1",
      tool_name: "shell",
      outcome_type: "x",
      status: "ok",
      elapsed_ms: 3,
    }),
    frame("completed", { turn_id: "trn_1", output: "Done" }),
    frame("turn_end", { turn_id: "trn_1", status: "completed" }),
  ]);
  expect(kinds(rows)).toEqual(["said", "thinking", "text", "question", "tool", "end"]);
  expect(rows.find(({ kind }) => kind === "thinking")).toMatchObject({ text: "I think.", open: false });
  expect(rows.find(({ kind }) => kind === "text")).toMatchObject({ text: "Working", open: false });
  expect(rows.find(({ kind }) => kind === "question")).toMatchObject({ decided: { actor: "ada" } });
  expect(rows.find(({ kind }) => kind === "tool")).toMatchObject({ args: { command: "ls" }, state: "ok" });
});

test("two calls of one tool stay two rows, told apart by their id", () => {
  const rows = timelineOf([
    frame("tool_call", { name: "shell", arguments: { command: "a" }, tool_call_id: "c1" }),
    frame("tool_call", { name: "shell", arguments: { command: "b" }, tool_call_id: "c2" }),
    frame("tool_outcome", {
      tool_call_id: "c2",
      tool_name: "shell",
      outcome_type: "x",
      status: "error",
      elapsed_ms: 1,
    }),
  ]);
  expect(rows).toMatchObject([
    { callId: "c1", state: "decided" },
    { callId: "c2", state: "error" },
  ]);
});

test("text that was cut off is marked, and said again in a row of its own", () => {
  const rows = timelineOf([
    frame("token", { text: "Half", step: 1, attempt: 1 }),
    frame("output_superseded", { step: 1, attempt: 1, reason: "process lost" }),
    frame("token", { text: "Whole", step: 1, attempt: 2 }),
  ]);
  expect(rows).toMatchObject([
    { text: "Half", superseded: "process lost", again: true },
    { text: "Whole", superseded: null, open: true },
  ]);
});

test("text that was cut off and not said again does not promise that it is", () => {
  const [half] = timelineOf([
    frame("token", { text: "Half", step: 1, attempt: 1 }),
    frame("output_superseded", { step: 1, attempt: 1, reason: "The call was stopped." }),
    frame("turn_end", { turn_id: "t1", status: "cancelled" }),
    frame("turn_start", { turn_id: "t2", input: "And now?" }),
    frame("token", { text: "Something else", step: 1, attempt: 1 }),
  ]);
  expect(half).toMatchObject({ text: "Half", superseded: "The call was stopped." });
  expect(half).not.toHaveProperty("again");
});

test("what a newer writer sends is shown raw, and so is what does not have the shape we know", () => {
  const rows = timelineOf([
    frame("runtime.new.thing", { a: 1 }),
    frame("tool_batch", { tool_call_ids: null }),
  ]);
  expect(rows).toMatchObject([
    { kind: "raw", name: "runtime.new.thing", tier: "debug", payload: { a: 1 } },
    { kind: "raw", name: "tool_batch" },
  ]);
});

test("a diagnostic in the middle does not cut the text that is being said", () => {
  const rows = timelineOf([
    frame("token", { text: "A", step: 1 }),
    frame("hook_event", { hook: "h", status: "ok" }),
    frame("token", { text: "B", step: 1 }),
  ]);
  expect(rows.filter(({ kind }) => kind === "text")).toMatchObject([{ text: "AB" }]);
});

test("a row that does not change stays the same object", () => {
  const timeline = createTimeline();
  const [said] = timeline.push([frame("turn_start", { turn_id: "trn_2", input: "Hello" })]);
  const after = timeline.push([frame("token", { text: "x", step: 1 })]);
  expect(after[0]).toBe(said);
});

test("the summary counts tokens and money, and keeps what is open", () => {
  const summary = [
    frame("session_state", { session_id: "ses_1", status: "running", model: "m" }),
    frame("usage", { input_tokens: 10, output_tokens: 5, total_tokens: 15, cost_usd: 0.5 }),
    frame("usage", { input_tokens: 20, output_tokens: 5, total_tokens: 25 }),
    frame("approval_required", { request_id: "apr_9", tool_name: "t", reason: "r" }),
  ].reduce(evolveSummary, EMPTY_SUMMARY);
  expect(summary.usage).toEqual({
    input: 30,
    output: 10,
    cached: 0,
    calls: 2,
    earlier: 0,
    cost: 0.5,
    context: 25,
  });
  expect(summary.pending).toEqual(["apr_9"]);
  expect(summary.state).toMatchObject({ status: "running", model: "m" });
});

describe("a budget that is used up", () => {
  const paused = frame("policy_decision", {
    subject: "health_policy",
    outcome: "pause",
    reason: "spent",
    source: "health",
    details: { crossed: [{ budget: "max_total_tokens", limit: 1, value: 9 }, "odd"] },
  });
  const state = (status: string) => frame("session_state", { session_id: "ses_1", status });

  test("is one row that says what was done, and that it is over once the session goes on", () => {
    const waits = timelineOf([paused, state("paused")]).filter(({ tier }) => tier === "default");
    expect(waits).toMatchObject([
      {
        kind: "enforced",
        action: "pause",
        crossed: [{ budget: "max_total_tokens", limit: 1, value: 9, used: null }],
        over: false,
      },
    ]);
    const [row] = timelineOf([paused, state("paused"), state("queued")]);
    expect(row).toMatchObject({ kind: "enforced", over: true });
  });

  test("is the question alone where a person is asked, and a row where it ended the turn", () => {
    const asked = frame("policy_decision", { subject: "health_policy", outcome: "approval_request" });
    expect(kinds(timelineOf([asked]))).toEqual([]);
    expect(kinds(timelineOf([frame("error", { error: "spent", code: "budget" })]))).toEqual(["enforced"]);
  });

  test("and what somebody paused says so itself", () => {
    expect(kinds(timelineOf([paused, state("running"), state("paused")]))).toEqual(["enforced", "notice"]);
  });
});

test("a branch has used what it used itself, and begins with as full a context", () => {
  const parent = [
    frame("usage", { input_tokens: 100, output_tokens: 50, total_tokens: 150, cost_usd: 0.5 }),
    frame("session_checkpoint", { session_id: "ses_2", checkpoint_type: "resume_seed" }),
  ];
  const begun = parent.reduce(evolveSummary, EMPTY_SUMMARY);
  expect(begun.usage).toEqual({ ...EMPTY_SUMMARY.usage, context: 150 });
  const own = frame("usage", { input_tokens: 10, output_tokens: 5, total_tokens: 15, cost_usd: 0.25 });
  expect(evolveSummary(begun, own).usage).toMatchObject({ input: 10, output: 5, calls: 1, cost: 0.25 });
});

test("a step that has ended is one row, and what another row says already is for the debug tier", () => {
  const rows = timelineOf([
    frame("step_progress", { step_id: "step-1", status: "running", index: 1 }),
    frame("step_progress", { step_id: "step-1", status: "completed", index: 1, title: "look" }),
    frame("session_checkpoint", { checkpoint_type: "step", status: "completed", summary_text: "step-1" }),
    frame("step_progress", { step_id: "step-2", status: "running", index: 2 }),
  ]);
  const shown = rows.flatMap((row) => (row.kind === "notice" && row.tier === "default" ? [row.title] : []));
  expect(shown).toEqual(["Step 1 completed", "Step 2 running"]);
  expect(rows).toHaveLength(4);
});
