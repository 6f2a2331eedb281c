import { expect, test } from "vitest";
import type { FrontendFrame } from "../src/index.ts";
import { EMPTY_SUMMARY, evolveSummary, timelineOf, waitingOf, waitsFor } from "../src/view/index.ts";
import { frame, shown } from "./support/frame.ts";

const SOON = "2026-01-02T00:00:00.000Z";
const LATER = "2026-01-03T00:00:00.000Z";

const state = (status: string, resume_context: unknown = null, kind = "background") =>
  frame("session_state", { session_id: "ses_1", kind, status, resume_context });
const timer = { kind: "timer", until: SOON, reason: "The day's budget is used." };
const delegated = { kind: "delegated", session_ids: ["ses_2"] };
const agent = (agent_id: string, status: string, more: object = {}) =>
  frame("subagent_event", {
    agent_id,
    status,
    parent_session_id: "ses_1",
    session_id: `of ${agent_id}`,
    ...more,
  });
const waits = (agent_id: string, until: string) =>
  agent(agent_id, "waiting", { until, reason: "The day's budget is used." });
const waiting = (...frames: readonly FrontendFrame[]) =>
  waitingOf(frames.reduce(evolveSummary, EMPTY_SUMMARY));

test("work that waits for a time says until when, and why", () => {
  expect(waiting(state("queued", timer))).toEqual({ until: SOON, reason: "The day's budget is used." });
});

test("what only waits for a process, a person or nothing waits for no time", () => {
  expect(waiting(state("queued"))).toBeNull();
  expect(waiting(state("running", timer))).toBeNull();
  expect(waiting(state("awaiting_approval", { kind: "approval", request_ids: [] }))).toBeNull();
  expect(waiting(state("queued", { kind: "timer", until: 7 }))).toBeNull();
  expect(waiting(state("queued", timer, "chat"))).toBeNull();
});

test("a sub-agent that waits for a time says so, though nobody can tell it to go on", () => {
  const summary = [state("queued", timer, "subagent")].reduce(evolveSummary, EMPTY_SUMMARY);
  expect(waitsFor(summary)).toEqual({ until: SOON, reason: "The day's budget is used." });
  expect(waitingOf(summary)).toBeNull();
});

test("what a sub-agent has used by now is no news of how it stands", () => {
  const [row] = timelineOf([agent("a", "running", { tokens: 1200 })]);
  expect(row).toMatchObject({ title: "Sub-agent a works on", text: "1200 tokens are used by now." });
});

test("work whose sub-agents wait for a time waits until the last of them goes on", () => {
  const both = [state("running", delegated), waits("a", LATER), waits("b", SOON)];
  expect(waiting(...both)).toEqual({ until: LATER, reason: null });
  expect(waiting(...both, agent("a", "running"))).toEqual({ until: SOON, reason: null });
  expect(waiting(...both, agent("a", "completed"), agent("b", "failed"))).toBeNull();
  expect(waiting(waits("a", LATER), state("running"))).toBeNull();
});

test("what was told to go on waits for no time, until it says so again", () => {
  const told = [state("running", delegated), waits("a", SOON), frame("session_resuming", {})];
  expect(waiting(...told)).toBeNull();
  expect(waiting(...told, waits("a", LATER))?.until).toBe(LATER);
});

test("that a sub-agent waits is said to everybody, in words and until when, for as long as it does", () => {
  const debug = (one: FrontendFrame): FrontendFrame => ({ ...one, tier: "debug" });
  const began = [debug(agent("a", "started", { task: "Dig." })), debug(waits("a", SOON))];
  const titles = (frames: readonly FrontendFrame[]) =>
    shown(timelineOf(frames)).map((row) => (row.kind === "notice" ? [row.title, row.text] : row.kind));
  expect(titles(began)).toEqual([
    ["Sub-agent a waits for a time", `The day's budget is used. It goes on by itself at ${SOON}.`],
  ]);
  expect(titles([...began, debug(agent("a", "running"))])).toEqual([]);
  expect(titles([...began, debug(agent("b", "running"))])).toHaveLength(1);
  const again = [...began, debug(waits("a", LATER))];
  expect(titles(again)).toEqual([[expect.any(String), expect.stringContaining(LATER)]]);
  const keys = timelineOf(again).map(({ key }) => key);
  expect(new Set(keys).size).toBe(keys.length);
});

test("a status of a newer writer is shown as it is called", () => {
  const [row] = timelineOf([agent("a", "half_done")]);
  expect(row).toMatchObject({ title: "Sub-agent a half done" });
});
