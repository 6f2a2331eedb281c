import type { FrontendFrame } from "@fairlead/contract";
import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { createAnswer } from "../src/answer.ts";
import { createOutput } from "../src/output.ts";

const frame = (type: string, payload: unknown): FrontendFrame => ({
  type,
  payload,
  id: "evt_1",
  seq: 1,
  session_id: "ses_1",
  at: "2025-01-01T10:20:30.000Z",
  tier: "default",
});

/** What a person sees of these frames, with or without colour. */
async function shown(frames: readonly FrontendFrame[], env: Record<string, string> = {}): Promise<string> {
  const stdout = Object.assign(new PassThrough(), { isTTY: true });
  const stderr = Object.assign(new PassThrough(), { isTTY: true });
  const answer = createAnswer(createOutput({ stdout, stderr }, env, false), "trn_1");
  for (const one of frames) await answer.show(one);
  await answer.finish();
  stdout.end();
  return text(stdout);
}

const THOUGHTS = [frame("thinking", { text: "Let me " }), frame("thinking", { text: "see." })];

test("a thought has its name, and a line between it and the answer", async () => {
  const streamed = [...THOUGHTS, frame("token", { text: "Here." }), frame("response", { text: "Here." })];
  expect(await shown(streamed, { NO_COLOR: "1" })).toBe("thinking: Let me see.\n\nHere.\n");
  expect(await shown(streamed)).toContain("see.\u001b[0m\n\nHere.\n");
});

test("also before an answer that comes at once, and after one", async () => {
  const whole = [...THOUGHTS, frame("response", { text: "Here." }), ...THOUGHTS];
  expect(await shown(whole, { NO_COLOR: "1" })).toBe(
    "thinking: Let me see.\n\nHere.\nthinking: Let me see.\n",
  );
});

const SUBAGENT = { agent_id: "subagent_1", parent_session_id: "ses_1" };

test("a turn that waits for its sub-agents goes on, and one of them that asks has it wait for a person", () => {
  const out = createOutput({ stdout: new PassThrough(), stderr: new PassThrough() }, {}, false);
  const answer = createAnswer(out, "trn_1");
  const waits = [{ kind: "session", session_id: "ses_2", tool_call_id: "c1" }];
  expect(answer.note(frame("turn_end", { turn_id: "trn_1", status: "parked", waits }))).toBe(false);
  expect(answer.note(frame("subagent_event", { ...SUBAGENT, status: "started" }))).toBe(false);
  const asks = { ...SUBAGENT, status: "awaiting_approval", request_id: "apr_1", tool_name: "shell" };
  expect(answer.note(frame("subagent_event", asks))).toBe(true);
  expect(answer.result().status).toBe("parked");
  const asked = [...waits, { kind: "question", request_id: "apr_2" }];
  const other = createAnswer(out, "trn_1");
  expect(other.note(frame("turn_end", { turn_id: "trn_1", status: "parked", waits: asked }))).toBe(true);
});

test("a turn that waits for time goes on by itself, and says until when; with a question it waits for a person", async () => {
  const stderr = new PassThrough();
  const out = createOutput({ stdout: new PassThrough(), stderr }, {}, false);
  const timer = { kind: "timer", until: "2030-01-01T00:00:00.000Z", reason: "Too\u001b many calls." };
  const parked = (...waits: object[]): FrontendFrame =>
    frame("turn_end", { turn_id: "trn_1", status: "parked", waits });
  const answer = createAnswer(out, "trn_1");
  await answer.show(parked(timer));
  expect(answer.note(parked(timer))).toBe(false);
  expect(answer.note(parked(timer, { kind: "session", session_id: "ses_2", tool_call_id: "c1" }))).toBe(
    false,
  );
  expect(answer.result().status).toBeNull();
  expect(answer.note(parked(timer, { kind: "question", request_id: "apr_1" }))).toBe(true);
  // What says nothing of its reason may wait for a person.
  expect(createAnswer(out, "trn_1").note(parked())).toBe(true);
  stderr.end();
  expect(await text(stderr)).toBe("· waits until 2030-01-01T00:00:00.000Z: Too\ufffd many calls.\n");
});

test("delegated work has a line for each change of it", async () => {
  const stderr = Object.assign(new PassThrough(), { isTTY: false });
  const answer = createAnswer(createOutput({ stdout: new PassThrough(), stderr }, {}, false), "trn_1");
  for (const more of [
    { status: "started", task: "Count\nthe stars." },
    { status: "awaiting_approval", request_id: "apr_1", tool_name: "shell", reason: "It writes." },
    { status: "running", request_id: "apr_1", decision: "approved" },
    { status: "completed", summary: "Nine." },
    { status: "failed", reason: "The model failed." },
  ])
    await answer.show(frame("subagent_event", { ...SUBAGENT, ...more }));
  stderr.end();
  expect(await text(stderr)).toBe(
    [
      "· subagent_1 started: Count the stars.",
      "· subagent_1 waits for a decision: apr_1 shell: It writes.",
      "· subagent_1 goes on (approved)",
      "· subagent_1 is done: Nine.",
      "· subagent_1 failed: The model failed.",
      "",
    ].join("\n"),
  );
});
