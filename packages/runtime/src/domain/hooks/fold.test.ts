import type { EventData, HookPoint, HookStatus } from "@fairlead/contract";
import { describe, expect, it } from "vitest";
import { fold } from "../loop/fold.ts";
import { type LoopLimits, next } from "../loop/next.ts";
import { type LoopState, newLoopState } from "../loop/state.ts";

type HookData = EventData<"runtime.hook.event">;

const LIMITS: LoopLimits = { steps: 3, misfits: 2, parallel: 2, losses: 2, children: 2 };

/** A turn whose one call has given its result. */
function ran(): LoopState {
  const state = newLoopState();
  write(state, "runtime.request.started", { turn_id: "trn_1", input: "Go." });
  const tool_calls = [{ tool_call_id: "c1", name: "look", arguments: "{}" }];
  write(state, "agent.output.completed", { text: "", step: 1, tool_calls });
  write(state, "agent.tool.start", { name: "look", arguments: {}, tool_call_id: "c1" });
  write(state, "agent.tool.batch", { wave: 1, tool_call_ids: ["c1"], step: 1, parallel: false });
  return state;
}

function write(state: LoopState, type: string, data: unknown): void {
  const event = { id: "evt_1", seq: state.seq + 1, stream: "ses_1", at: "", turn_id: "trn_1", type, data };
  fold(state, event as never);
}

function said(state: LoopState, status: HookStatus, more: Partial<HookData> = {}): void {
  write(state, "runtime.hook.event", { hook: "scan", on: "after_tool", tool_call_id: "c1", status, ...more });
}

function outcome(state: LoopState): void {
  const data = { tool_call_id: "c1", tool_name: "look", outcome_type: "ToolExecutionResult", status: "ok" };
  write(state, "agent.tool.outcome", { ...data, elapsed_ms: 0, result: "the result" });
}

const told = (state: LoopState) => state.messages.findLast(({ role }) => role === "tool")?.text;

describe("what is owed after a tool", () => {
  it("comes before all else, until it has ended", () => {
    const state = ran();
    said(state, "pending", { details: { outcome: "ok", gate: true } });
    outcome(state);
    const owed = [{ hook: "scan", tool_call_id: "c1", outcome: "ok", gate: true }];
    expect(next(state, LIMITS)).toEqual({ kind: "review", owed });
    said(state, "started");
    expect(next(state, LIMITS)).toEqual({ kind: "review", owed });
    // Broken off is not ended.
    said(state, "cancelled", { blocks: true });
    expect(next(state, LIMITS)).toEqual({ kind: "review", owed });
    said(state, "completed");
    expect(next(state, LIMITS)).toMatchObject({ kind: "call" });
    expect(told(state)).toContain("the result");
  });

  it.each(["blocked", "failed", "timed_out"] as const)(
    "stops the turn when it ends as %s and blocks",
    (status) => {
      const state = ran();
      said(state, "pending");
      outcome(state);
      said(state, status, { blocks: true, reason: "No." });
      expect(next(state, LIMITS)).toEqual({ kind: "stop", reason: "The hook scan stopped the turn: No." });
      expect(told(state)).toBe("It ran. The hook scan withholds what it gave back.");
    },
  );

  it.each([
    [undefined, false],
    [{ gate: true }, false],
    [{ gate: false }, true],
  ])("keeps the result from models where the turn ends first: %j", (details, hears) => {
    const state = ran();
    said(state, "pending", details === undefined ? {} : { details });
    outcome(state);
    write(state, "runtime.turn.ended", { turn_id: "trn_1", status: "cancelled" });
    expect(told(state)?.includes("the result")).toBe(hears);
  });
});

describe("a hook elsewhere", () => {
  it.each([
    ["turn_start", "stop"],
    ["turn_end", "stop"],
    // What it said is for the process that asked: whoever runs the tool asks again.
    ["before_tool", "review"],
  ] as const)("on %s that blocks: %s", (on: HookPoint, kind) => {
    const state = ran();
    said(state, "pending");
    outcome(state);
    said(state, "blocked", { on, hook: "other", blocks: true, reason: "No." });
    expect(next(state, LIMITS).kind).toBe(kind);
  });

  it("is remembered at the start of a turn when it has passed, and only then", () => {
    const state = ran();
    said(state, "cancelled", { on: "turn_start", hook: "a" });
    said(state, "skipped", { on: "turn_start", hook: "b" });
    said(state, "completed", { on: "turn_start", hook: "c" });
    said(state, "failed", { on: "turn_start", hook: "d", blocks: true });
    expect(state.turn?.informed).toEqual(["hook:b", "hook:c"]);
  });

  it("of another turn changes nothing", () => {
    const state = ran();
    const before = structuredClone(state.turn);
    const data = { hook: "x", on: "turn_end", status: "blocked", blocks: true };
    fold(state, {
      id: "evt_2",
      seq: 9,
      stream: "ses_1",
      at: "",
      turn_id: "req_1",
      type: "runtime.hook.event",
      data,
    } as never);
    expect(state.turn).toEqual(before);
  });
});
