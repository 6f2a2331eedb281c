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
