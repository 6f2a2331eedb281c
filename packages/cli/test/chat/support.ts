import type { Frame } from "../../src/backend.ts";
import type { View } from "../../src/chat/model.ts";
import { EMPTY_VIEW, evolve } from "../../src/chat/view.ts";
import { type Line, plainLine } from "../../src/chat/span.ts";

let seq = 0;

/** A frame as the frontend face has it. */
export function frame(type: string, payload: object): Frame {
  seq += 1;
  return {
    type,
    payload,
    id: `evt_${seq}`,
    seq,
    session_id: "ses_1",
    at: "2030-01-01T00:00:00.000Z",
    tier: "default",
  };
}

export function folded(frames: readonly Frame[], from: View = EMPTY_VIEW): View {
  return frames.reduce((view, one) => evolve(view, one, 1_000), from);
}

export function shown(lines: readonly Line[]): string {
  return lines.map(plainLine).join("\n");
}

export const started = (input = "Hello"): Frame =>
  frame("turn_start", { turn_id: "trn_1", input, attempt: 1 });
export const called = (id: string, name: string, args: object = {}): Frame =>
  frame("tool_call", { name, tool_call_id: id, arguments: { ...args, _tool_call_id: id } });
export const outcome = (id: string, name: string, status: string, error?: string): Frame =>
  frame("tool_outcome", {
    tool_call_id: id,
    tool_name: name,
    outcome_type: "ToolExecutionResult",
    status,
    elapsed_ms: 12,
    ...(error === undefined ? {} : { error }),
  });
export const token = (text: string, step = 1): Frame => frame("token", { text, step, attempt: 1 });
