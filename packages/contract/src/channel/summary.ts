import type { FrontendName } from "../stream-events.ts";
import { lineOf, textIn } from "../told.ts";

const SUMMARY_CHARS = 200;

/** The fields that say it, joined in this order; those that are missing are left out. */
const FIELDS: { readonly [N in FrontendName]?: readonly string[] } = {
  session_state: ["status", "model"],
  session_checkpoint: ["checkpoint_type", "summary_text"],
  turn_start: ["input"],
  input_queued: ["mode", "input"],
  token: ["text"],
  thinking: ["text"],
  response: ["text"],
  completed: ["output"],
  error: ["code", "error", "reason"],
  turn_end: ["status", "reason"],
  tool_call: ["name"],
  tool_result: ["tool_name"],
  tool_outcome: ["tool_name", "status", "error"],
  tool_validation_error: ["tool_name", "error"],
  approval_required: ["tool_name", "reason"],
  approval_applied: ["tool_name", "decision", "actor"],
  policy_decision: ["subject", "outcome", "reason"],
  hook_event: ["hook", "status"],
  sandbox_notice: ["resolved_backend", "isolation", "reason"],
  transport_diagnostic: ["kind", "status", "reason"],
  subagent_event: ["agent_id", "status", "reason"],
  step_progress: ["title", "status"],
  effect_verdict: ["tool_name", "verdict", "reason"],
};

/** What most events have that could say it, best first. */
const USUAL = ["summary", "message", "text", "reason", "status"];

/** One line for a person. Never fails, whatever the payload is. */
export function summaryOf(type: string, payload: unknown): string {
  const fields = Object.hasOwn(FIELDS, type) ? FIELDS[type as FrontendName] : undefined;
  const said = (fields ?? []).flatMap((field) => textIn(payload, field) ?? []);
  const line = said.length > 0 ? said.join(": ") : (textIn(payload, ...USUAL) ?? type);
  return lineOf(line, SUMMARY_CHARS);
}
