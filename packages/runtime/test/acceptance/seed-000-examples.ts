/** A JSON example of seed 000, word for word. */
export interface Example {
  readonly type: string;
  readonly payload: Readonly<Record<string, unknown>>;
  /** What names, measures or describes one run, so that another run says something else of the same type. */
  readonly varies: readonly string[];
}

export const EXAMPLES: Readonly<Record<string, Example>> = {
  "a tool is called": {
    type: "tool_call",
    payload: {
      name: "local_search",
      arguments: { query: "roadmap", _tool_call_id: "call-1" },
      tool_call_id: "call-1",
    },
    varies: [],
  },
  "a tool has ended": {
    type: "tool_outcome",
    payload: {
      tool_call_id: "call-1",
      tool_name: "local_search",
      outcome_type: "ToolExecutionResult",
      status: "ok",
      elapsed_ms: 84,
      result: { chunks: [] },
    },
    varies: ["elapsed_ms"],
  },
  "an approval is required": {
    type: "approval_required",
    payload: {
      request_id: "apr_123",
      tool_name: "write_file",
      reason: "Web chat turn requested a write-capable tool.",
    },
    varies: ["request_id", "reason"],
  },
  "an approval is applied": {
    type: "approval_applied",
    payload: { request_id: "apr_123", tool_name: "write_file" },
    varies: ["request_id"],
  },
  "the context is compacted": {
    type: "context_compacted",
    payload: {
      original_count: 24,
      compacted_count: 10,
      tokens_saved: 4200,
      summary: "Kept the recent working set and collapsed older tool chatter.",
      preserved_messages: 6,
      resume_cursor: "compact:serve_demo:14",
    },
    varies: [
      "original_count",
      "compacted_count",
      "tokens_saved",
      "summary",
      "preserved_messages",
      "resume_cursor",
    ],
  },
  "the modes of a turn": {
    type: "policy_decision",
    payload: {
      subject: "turn_runtime",
      outcome: "configured",
      reason: "Resolved runtime execution mode for this chat turn.",
      source: "serve_chat_runtime",
      policy_path: "execution_mode -> approval_policy -> runtime_callbacks",
      permission_mode: "normal",
      approval_mode: "on_request",
    },
    // Names the program that decided.
    varies: ["source"],
  },
  "another provider stands in": {
    type: "transport_diagnostic",
    payload: {
      status: "degraded",
      kind: "provider_fallback",
      provider_requested: "openai",
      provider_actual: "anthropic",
      reason: "Primary provider failed health checks.",
      failure_count: 1,
    },
    varies: [],
  },
  "delegated work is done": {
    type: "subagent_event",
    payload: { agent_id: "subagent_1", status: "completed", parent_session_id: "serve_chat_123" },
    varies: ["parent_session_id"],
  },
  "work is isolated": {
    type: "sandbox_notice",
    payload: {
      requested_backend: "background_session",
      resolved_backend: "task_workspace",
      isolation: "workspace",
      reason: "Prepared a task workspace for write-capable background work.",
    },
    // Goes on with how: a worktree of git, or a copy.
    varies: ["reason"],
  },
  "a step is done in the background": {
    type: "session_checkpoint",
    payload: {
      session_id: "bg_123",
      sequence: 4,
      checkpoint_type: "step",
      status: "completed",
      summary_text: "step-1 completed: Inspect files",
      resume_cursor: null,
    },
    varies: ["session_id", "sequence", "summary_text"],
  },
};

/** Whether a frame says what an example says. Fields beside it are additions, which old clients ignore. */
export function says(
  { type, payload, varies }: Example,
  frame: { readonly type: string; readonly payload: unknown },
): boolean {
  return frame.type === type && fits(payload, frame.payload, varies);
}

function fits(example: unknown, found: unknown, varies: readonly string[] = []): boolean {
  if (Array.isArray(example)) return Array.isArray(found) && found.length === example.length;
  if (typeof example !== "object" || example === null) return example === found;
  if (typeof found !== "object" || found === null) return false;
  const rest = found as Readonly<Record<string, unknown>>;
  return Object.entries(example).every(([key, value]) =>
    varies.includes(key) ? typeof rest[key] === typeof value : fits(value, rest[key]),
  );
}
