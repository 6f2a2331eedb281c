import { z } from "zod";
import { count, json, jsonObject, runtimeFact, signal, text, texts } from "./fields.ts";

export const TOOL_OUTCOME_STATUSES = ["ok", "timeout", "error", "denied", "artifact"] as const;
export type ToolOutcomeStatus = (typeof TOOL_OUTCOME_STATUSES)[number];

// Seed 000: tool_call_id is on every tool-related event, so that two calls of one tool stay apart.
export const TOOL_EVENTS = {
  "agent.tool.start": signal({
    tier: "default",
    faces: { frontend: "tool_call", runtime: "agent.tool.start" },
    doc: "A tool is about to run. Recorded before it runs.",
    fields: { name: text, arguments: jsonObject, tool_call_id: text },
  }),
  "agent.tool.result": signal({
    tier: "default",
    faces: { frontend: "tool_result", runtime: "agent.tool.result" },
    doc: "What the tool gave back, as shown. No substitute for the outcome.",
    fields: {
      tool_call_id: text,
      tool_name: text,
      result: json.optional(),
      error: text.optional(),
    },
  }),
  "agent.tool.outcome": signal({
    tier: "default",
    faces: { frontend: "tool_outcome", runtime: null },
    doc: "How the call ended. Every recorded start has exactly one, or a person is asked.",
    fields: {
      tool_call_id: text,
      tool_name: text,
      outcome_type: text,
      status: z.enum(TOOL_OUTCOME_STATUSES),
      elapsed_ms: z.number().min(0),
      result: json.optional(),
      error: text.optional(),
    },
  }),
  "agent.tool.batch": signal({
    tier: "debug",
    faces: { frontend: "tool_batch", runtime: null },
    doc: "A wave of tool calls that run side by side.",
    fields: { wave: count, tool_call_ids: texts },
  }),
  "agent.tool.selected": signal({
    tier: "debug",
    faces: { frontend: "tool_selected", runtime: null },
    doc: "Which tools were offered to the model for this step, and why.",
    fields: { tools: texts, reason: text.optional() },
  }),
  "agent.tool.invalid": signal({
    tier: "debug",
    faces: { frontend: "tool_validation_error", runtime: null },
    doc: "A call's arguments did not fit the tool. `attempt` counts the repairs.",
    fields: { tool_call_id: text, tool_name: text, error: text, attempt: count.optional() },
  }),
  "runtime.tool.direct.started": runtimeFact(
    "runtime.tool.direct.started",
    "A tool was called directly, not by an agent.",
    { tool_id: text },
  ),
  "runtime.tool.direct.completed": runtimeFact(
    "runtime.tool.direct.completed",
    "A directly called tool gave its output.",
    { tool_id: text, output: json },
  ),
};
