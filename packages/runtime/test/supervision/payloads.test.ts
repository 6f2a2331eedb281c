import { AHP_EVENTS, EVENT_TYPES, isBlocking } from "@fairlead/ahp";
import type { NewEvent } from "@fairlead/contract";
import { describe, expect, test } from "vitest";
import { noticeOf, noticesOf } from "../../src/domain/loop-supervision/notices.ts";
import { payloadOf, refined } from "../../src/domain/loop-supervision/payloads.ts";
import { withChange } from "../../src/domain/loop-supervision/prompt-change.ts";
import type { Message } from "../../src/ports/model.ts";

const session_id = "ses_1";
const CALL = { tool_call_id: "call_1", name: "read_file", arguments: { path: "a.ts" } };

const TALK: readonly Message[] = [
  { role: "system", text: "You are an agent." },
  { role: "user", text: "Read a.ts." },
  {
    role: "assistant",
    text: "",
    tool_calls: [{ tool_call_id: "call_1", name: "read_file", arguments: "{}" }],
  },
  { role: "tool", tool_call_id: "call_1", name: "read_file", text: "secret", failed: false },
];

/** As the page of the wire has them. */
const GOLDEN = {
  pre_action: {
    made: payloadOf.preAction(CALL),
    wire: { tool_name: "read_file", arguments: { path: "a.ts" }, tool_call_id: "call_1" },
  },
  pre_prompt: {
    made: payloadOf.prePrompt({ messages: TALK, provider: "p", model: "m", step: 2, tools: ["read_file"] }),
    wire: {
      prompt: "Read a.ts.",
      messages: [{ role: "tool", content: "secret", tool_call_id: "call_1", tool_name: "read_file" }],
      message_count: 4,
      provider: "p",
      model: "m",
      step: 2,
      tools: ["read_file"],
    },
  },
  planning: {
    made: payloadOf.planning({ session_id, task: "Refactor." }),
    wire: {
      session_id,
      task_description: "Refactor.",
      available_strategies: ["none", "step_by_step", "tree_of_thoughts", "graph_planning"],
    },
  },
  reasoning: {
    made: payloadOf.reasoning({ session_id, problem: "Why?" }),
    wire: { session_id, reasoning_type: "re_act", problem_statement: "Why?" },
  },
  intent_detection: {
    made: payloadOf.intentDetection({ session_id, prompt: "Fix it.", workspace: "/w" }),
    wire: { session_id, prompt: "Fix it.", workspace: "/w" },
  },
  context_perception: {
    made: payloadOf.contextPerception({
      session_id,
      workspace: "/w",
      task: "Fix it.",
      intent: { intent: "locate", hints: { target_type: "file", target_name: "a.ts", domain: "coding" } },
    }),
    wire: {
      session_id,
      intent: "locate",
      target: { entity: { name: "a.ts", entity_type: "file" } },
      domain: "coding",
      context: { workspace: "/w", current_task: "Fix it.", query: "Fix it." },
    },
  },
  memory_recall: {
    made: payloadOf.memoryRecall({ session_id, query: "deploys", workspace: "/w" }),
    wire: { session_id, query: "deploys", memory_type: "session", max_results: 10, working_directory: "/w" },
  },
  rate_limit: {
    made: payloadOf.rateLimit({ session_id, retryAfterMs: 12.6, usage: "3 requests" }),
    wire: { session_id, limit_type: "llm_request_limit", retry_after_ms: 13, current_usage: "3 requests" },
  },
  confirmation: {
    made: payloadOf.confirmation({ session_id, type: "cost_confirm", message: "Pay?", options: ["yes"] }),
    wire: { session_id, confirmation_type: "cost_confirm", message: "Pay?", options: ["yes"] },
  },
  idle: {
    made: payloadOf.idle({ ms: 5, reason: "no work", suggested: "compact" }),
    wire: { idle_duration_ms: 5, idle_reason: "no work", suggested_action: "compact" },
  },
};

describe("questions have the protocol's own names", () => {
  test.each(EVENT_TYPES.filter(isBlocking))("%s", (type) => {
    const { made, wire } = GOLDEN[type];
    expect(made).toEqual(wire);
    const schema = AHP_EVENTS[type].payload;
    if (schema !== null) expect(schema.safeParse(made).success).toBe(true);
  });

  test("what was detected in other words is asked about in general", () => {
    const intent = { intent: "sing", hints: { domain: "opera" } };
    const made = payloadOf.contextPerception({ session_id, workspace: "/w", task: "x", intent });
    expect(made).toMatchObject({
      intent: "understand",
      domain: "general",
      target: { location: { path: ".", location_type: "workspace" } },
    });
  });

  test("a refined question keeps what was not refined", () => {
    const { made } = GOLDEN.context_perception;
    const again = refined(made, { kind: "refine", intent: "explore", scope_hints: ["src"] });
    expect(again).toEqual({ ...made, intent: "explore", metadata: { scope_hints: ["src"] } });
    expect(AHP_EVENTS.context_perception.payload.safeParse(again).success).toBe(true);
  });
});

describe("a changed prompt", () => {
  test("replaces what the user said, or what the model has not seen, and nothing else", () => {
    expect(withChange(TALK, { prompt: "Read b.ts." })?.[1]).toEqual({ role: "user", text: "Read b.ts." });
    const cut = withChange(TALK, { prompt: "Read a.ts.", contents: ["[cut]"] });
    expect(cut?.slice(0, 3)).toEqual(TALK.slice(0, 3));
    expect(cut?.[3]).toEqual({ ...TALK[3], text: "[cut]" });
  });

  test("is the same whether or not the system's own words lead the conversation", () => {
    const first = TALK.slice(0, 2);
    expect(withChange(first, { contents: ["Hi."] })?.slice(1)).toEqual(
      withChange(first.slice(1), { contents: ["Hi."] }),
    );
  });

  test("that does not fit is none", () => {
    expect(withChange(TALK, { contents: [] })).toBeUndefined();
    expect(withChange(TALK, { contents: ["a", "b"] })).toBeUndefined();
    expect(withChange([], { prompt: "x" })).toBeUndefined();
  });
});

describe("notifications", () => {
  const context = { session_id, turnMs: 1_500.4 };
  const outcome = (status: "ok" | "error" | "timeout" | "denied", error?: string): NewEvent => ({
    type: "agent.tool.outcome",
    data: {
      tool_call_id: "call_1",
      tool_name: "shell",
      outcome_type: "ToolExecutionResult",
      status,
      elapsed_ms: 7,
      ...(error === undefined ? {} : { error }),
    },
  });

  test("post_action after each call, and error where it failed", () => {
    expect(noticesOf([outcome("ok"), outcome("denied")], context).map(({ type }) => type)).toEqual([
      "post_action",
      "post_action",
    ]);
    expect(noticesOf([outcome("error", "It broke.")], context)).toEqual([
      {
        type: "post_action",
        payload: {
          tool_name: "shell",
          tool_call_id: "call_1",
          status: "error",
          elapsed_ms: 7,
          error: "It broke.",
        },
      },
      { type: "error", payload: { message: "It broke.", tool_name: "shell", tool_call_id: "call_1" } },
    ]);
  });

  test("post_response with what the call cost", () => {
    const [told] = noticesOf(
      [
        {
          type: "agent.output.completed",
          data: { text: "Hi.", step: 1, attempt: 1, provider: "p", model: "m" },
        },
        {
          type: "agent.usage",
          data: { input_tokens: 3, output_tokens: 2, total_tokens: 5, cost_usd: 0.1, step: 1, attempt: 1 },
        },
      ],
      context,
    );
    expect(told).toEqual({
      type: "post_response",
      payload: {
        text: "Hi.",
        tool_calls: [],
        step: 1,
        provider: "p",
        model: "m",
        usage: { input_tokens: 3, output_tokens: 2, total_tokens: 5, cost_usd: 0.1 },
      },
    });
  });

  test("snapshots as the log has them, and the end of a turn", () => {
    const updated_at = "2026-05-01T00:00:00Z";
    const run = { run_id: "trn_1", session_id, updated_at };
    const events: NewEvent[] = [
      { type: "runtime.run.lifecycle", data: { ...run, status: "completed" } },
      { type: "runtime.task.list", data: { ...run, tasks: [] } },
      { type: "runtime.verification.reported", data: { ...run, status: "passed" } },
      { type: "runtime.request.completed", data: { turn_id: "trn_1", output: "Done." } },
      { type: "runtime.request.failed", data: { turn_id: "trn_1", error: "Broke.", code: "internal" } },
      { type: "agent.output.delta", data: { text: "x" } },
    ];
    const told = noticesOf(events, context);
    expect(told.map(({ type }) => type)).toEqual([
      "run_lifecycle",
      "task_list",
      "verification",
      "success",
      "error",
    ]);
    expect(told[3]?.payload).toEqual({
      session_id,
      action_type: "turn",
      action_summary: "Done.",
      duration_ms: 1_500,
    });
    for (const { type, payload } of told)
      expect(AHP_EVENTS[type].payload?.safeParse(payload).success ?? true, type).toBe(true);
  });

  test("long texts are cut", () => {
    const [told] = noticesOf([outcome("ok", "x".repeat(20_000))], context);
    expect(JSON.stringify(told?.payload).length).toBeLessThan(9_000);
  });

  test("what the log does not say is told too", () => {
    const { payload } = noticeOf.heartbeat({
      uptime_ms: 1,
      total_events_processed: 2,
      current_state: "idle",
    });
    expect(AHP_EVENTS.heartbeat.payload.safeParse(payload).success).toBe(true);
    expect(noticeOf.sessionStart({ session_id, workspace: "/w" }).type).toBe("session_start");
    expect(noticeOf.sessionEnd({ session_id, reason: "closed" }).type).toBe("session_end");
  });
});
