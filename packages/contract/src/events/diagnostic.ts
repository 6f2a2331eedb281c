import { z } from "zod";
import { count, fact, jsonObject, text } from "./fields.ts";

export const DIAGNOSTIC_EVENTS = {
  "runtime.policy.decision": fact({
    tier: "debug",
    faces: { frontend: "policy_decision", runtime: null },
    doc: "A rule was applied: to what, with which outcome, why, and on whose word.",
    fields: {
      subject: text,
      outcome: text,
      reason: text,
      source: text,
      policy_path: text.optional(),
      permission_mode: text.optional(),
      approval_mode: text.optional(),
      tool_call_id: text.optional(),
      tool_name: text.optional(),
      rule_id: text.optional(),
      rule_set_hash: text.optional(),
      input_hash: text.optional(),
      elapsed_ms: z.number().min(0).optional(),
      details: jsonObject.optional(),
    },
  }),
  "runtime.hook.event": fact({
    tier: "debug",
    faces: { frontend: "hook_event", runtime: null },
    doc: "A hook began or ended. `blocks`: what it was asked about does not go on.",
    fields: {
      hook: text,
      status: text,
      on: text.optional(),
      blocking: z.boolean().optional(),
      blocks: z.boolean().optional(),
      /** Of what was run: its definition and its files. */
      hash: text.optional(),
      reason: text.optional(),
      elapsed_ms: z.number().min(0).optional(),
      tool_call_id: text.optional(),
      details: jsonObject.optional(),
    },
  }),
  "runtime.sandbox.notice": fact({
    tier: "debug",
    faces: { frontend: "sandbox_notice", runtime: null },
    doc: "Which isolation was asked for, and which the work got.",
    fields: {
      requested_backend: text,
      resolved_backend: text,
      isolation: text,
      reason: text,
      details: jsonObject.optional(),
    },
  }),
  "runtime.transport.diagnostic": fact({
    tier: "debug",
    faces: { frontend: "transport_diagnostic", runtime: null },
    doc: "A provider failed, fell back or recovered.",
    fields: {
      status: text,
      kind: text,
      reason: text,
      provider_requested: text.optional(),
      provider_actual: text.optional(),
      failure_count: count.optional(),
      details: jsonObject.optional(),
    },
  }),
  "runtime.subagent.event": fact({
    tier: "debug",
    faces: { frontend: "subagent_event", runtime: null },
    doc: "Delegated work changed state: `started`, `awaiting_approval`, `waiting` for a time, `running` again, then `completed`, `failed` or `cancelled`. Where the policy of the session at the top limits it, `running` is also said there with what it has used by now. On the stream of the session that delegated it, and on that of the root session.",
    fields: {
      agent_id: text,
      status: text,
      parent_session_id: text,
      session_id: text.optional(),
      task: text.optional(),
      reason: text.optional(),
      /** Of the session that delegated it. */
      tool_call_id: text.optional(),
      root_session_id: text.optional(),
      depth: count.optional(),
      /** Of `awaiting_approval`: what is asked. With the `decision` once there is one. */
      request_id: text.optional(),
      tool_name: text.optional(),
      decision: text.optional(),
      /** Of `waiting`: when it goes on by itself. */
      until: text.optional(),
      /** Of the end: what it says to who delegated it, in whole and in short, and what it used. Of `running`: used by now. */
      output: text.optional(),
      summary: text.optional(),
      tokens: count.optional(),
      output_tokens: count.optional(),
      cost_usd: z.number().min(0).optional(),
      elapsed_ms: z.number().min(0).optional(),
      /** What it adds to the health budgets of the session at the top, by now or with its end; what is 0 is left out. */
      measured: z
        .looseObject({
          failed_tool_calls: count.optional(),
          loop_warnings: count.optional(),
          repeated_plan_events: count.optional(),
        })
        .optional(),
      details: jsonObject.optional(),
    },
  }),
};
