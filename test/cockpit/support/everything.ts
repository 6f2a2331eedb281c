import type { NewEvent, SessionId } from "@fairlead/contract";

const AT = "2026-11-16T09:00:00.000Z";

/** One of each that the page draws beside the conversation, as they are in daily use. */
export function everything(session_id: SessionId): NewEvent[] {
  return [
    { type: "runtime.request.started", data: { turn_id: "trn_1", input: "Bring the notes up to date." } },
    {
      type: "runtime.retrieval.completed",
      data: {
        query: "notes",
        citations: [
          { path: "docs/notes.md", lines: [3, 18], score: 12.3, method: "bm25", text: "What changed." },
        ],
        context_pack: {
          files: 1,
          chunks: 1,
          tokens: 1234,
          truncated: true,
          indexed_files: 312,
          source: "auto",
        },
      },
    },
    { type: "agent.thinking.delta", data: { text: "First I should look. ".repeat(20) } },
    { type: "agent.output.completed", data: { text: "I read the notes.", step: 1, attempt: 1 } },
    {
      type: "agent.tool.start",
      data: {
        name: "read_file",
        tool_call_id: "c1",
        arguments: { path: "docs/notes.md", _tool_call_id: "c1" },
      },
    },
    {
      type: "agent.tool.result",
      data: { tool_call_id: "c1", tool_name: "read_file", result: { lines: 18, truncated: false } },
    },
    {
      type: "agent.tool.outcome",
      data: { tool_call_id: "c1", tool_name: "read_file", outcome_type: "x", status: "ok", elapsed_ms: 84 },
    },
    {
      type: "agent.tool.start",
      data: {
        name: "update_tasks",
        tool_call_id: "c2",
        arguments: {
          tasks: [{ id: "1", title: "Read the notes", status: "in_progress" }],
          _tool_call_id: "c2",
        },
      },
    },
    {
      type: "runtime.verification.reported",
      data: {
        run_id: "trn_1",
        session_id,
        status: "needs_review",
        updated_at: AT,
        checks: [
          {
            id: "command:npm test",
            subject: "The command npm test succeeds",
            status: "failed",
            message: "It failed the last time.",
            evidence: [{ kind: "tool_call", summary: "c1" }],
          },
        ],
        residual_risks: [],
      },
    },
    {
      type: "runtime.cognition.summary",
      data: {
        summary: "3 step(s), 4 tool call(s); denied_calls 1.",
        guardrails: [
          { name: "denied_calls", count: 1 },
          { name: "blocked_by_hooks", count: 0 },
        ],
        details: { spent: { steps: 3, tokens: 1280, cost_usd: 0 }, limits: { steps: 50 } },
      },
    },
    {
      type: "runtime.policy.decision",
      data: {
        subject: "pre_action",
        outcome: "block",
        reason: "Not on a Friday.",
        source: "rules",
        rule_id: "no-fri",
      },
    },
    { type: "agent.reflection", data: { text: "It went well." } },
  ];
}

/** How it fares, told while the page is open: what the server was asked before is older. */
export function faring(session_id: SessionId): NewEvent {
  return {
    type: "runtime.health.snapshot",
    data: {
      session_id,
      score: 60,
      score_parts: { failures: -40 },
      flags: ["degraded"],
      policy: {
        enforcement: { action: "pause", reason: "3 tool calls failed.", outcome: "open", crossed: [] },
      },
    },
  };
}
