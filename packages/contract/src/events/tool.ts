import { z } from "zod";
import { count, fact, json, jsonObject, runtimeFact, signal, text, texts, time } from "./fields.ts";

export const TOOL_OUTCOME_STATUSES = ["ok", "timeout", "error", "denied", "artifact"] as const;
/** What running a tool twice would do: nothing new, the same thing, or the thing twice. */
export const EFFECTS = ["none", "idempotent", "once"] as const;
export type Effect = (typeof EFFECTS)[number];
export type ToolOutcomeStatus = (typeof TOOL_OUTCOME_STATUSES)[number];

// Seed 000: tool_call_id is on every tool-related event, so that two calls of one tool stay apart.
export const TOOL_EVENTS = {
  "agent.tool.start": signal({
    tier: "default",
    faces: { frontend: "tool_call", runtime: "agent.tool.start" },
    doc: "A tool is called, with the arguments it gets: all that had to be decided about it is decided. Recorded before it runs; `tool_batch` says when.",
    fields: {
      name: text,
      /** Carries `_tool_call_id` too, as seed 000 shows. */
      arguments: jsonObject,
      tool_call_id: text,
      step: count.optional(),
      effect: z.enum(EFFECTS).optional(),
      access: z.enum(["read", "write"]).optional(),
      /** May run beside others. */
      parallel: z.boolean().optional(),
      /** It is worked on in a session of its own, by a sub-agent. */
      delegates: z.literal(true).optional(),
      /** Counts the tries of a call that is safe to run again. */
      attempt: count.optional(),
    },
  }),
  "agent.tool.result": signal({
    tier: "default",
    faces: { frontend: "tool_result", runtime: "agent.tool.result" },
    doc: "What the tool gave back, as shown and as the model is told. No substitute for the outcome.",
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
      /** Processes that the call started, and how each ended. */
      children: z.array(z.looseObject({ pid: count, ended: text })).optional(),
    },
  }),
  "agent.tool.batch": signal({
    tier: "debug",
    faces: { frontend: "tool_batch", runtime: null },
    doc: "A wave of tool calls begins to run: side by side, or one alone.",
    fields: { wave: count, tool_call_ids: texts, step: count.optional(), parallel: z.boolean().optional() },
  }),
  "runtime.effect.verdict": fact({
    tier: "default",
    faces: { frontend: "effect_verdict", runtime: null },
    doc: "A process was lost while a tool ran: whether it is run again (`none` does no harm, `idempotent` has the same key), or a person is asked what happened. An addition to seed 000.",
    fields: {
      tool_call_id: text,
      tool_name: text,
      effect: z.enum(EFFECTS),
      verdict: z.enum(["safe", "rerun", "ask", "happened", "run_again", "give_up"]),
      reason: text,
    },
  }),
  "agent.tool.selected": signal({
    tier: "debug",
    faces: { frontend: "tool_selected", runtime: null },
    doc: "Which tools were offered to the model for this step, and why.",
    fields: {
      tools: texts,
      reason: text.optional(),
      /** `all` when every tool was offered, else how they were ranked. */
      method: text.optional(),
      scores: z.record(text, z.number()).optional(),
      step: count.optional(),
    },
  }),
  "agent.tool.invalid": signal({
    tier: "debug",
    faces: { frontend: "tool_validation_error", runtime: null },
    doc: "A call did not fit its tool, and was repaired or not run. `kind` says what was wrong, `attempt` counts the rounds of repair by the model.",
    fields: {
      tool_call_id: text,
      tool_name: text,
      error: text,
      attempt: count.optional(),
      kind: text.optional(),
      /** Set when the call was mended and ran. */
      repaired: z.boolean().optional(),
      repairs: texts.optional(),
      step: count.optional(),
    },
  }),
  "runtime.tool.direct.started": runtimeFact(
    "runtime.tool.direct.started",
    "A tool was called directly, not by an agent. Recorded before it runs; one without a `completed` was lost with its process, and gets a verdict.",
    {
      tool_id: text,
      tool_call_id: text.optional(),
      effect: z.enum(EFFECTS).optional(),
      arguments: jsonObject.optional(),
      /** Whoever runs it has given it up by then. */
      until: time.optional(),
      /** Its process holds the lease of this stream for as long as it lives. */
      holder: text.optional(),
    },
  ),
  "runtime.tool.direct.holder": fact({
    tier: "debug",
    faces: { frontend: null, runtime: null },
    doc: "A process that runs tools for people is there: while it holds the lease of this stream, their calls are not lost.",
    fields: { process: text },
  }),
  "runtime.tool.direct.completed": runtimeFact(
    "runtime.tool.direct.completed",
    "A directly called tool gave its output.",
    { tool_id: text, output: json },
  ),
};
