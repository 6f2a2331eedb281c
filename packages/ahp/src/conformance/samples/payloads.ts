import type { BlockingType, EventType, PayloadInput } from "../../protocol/events.ts";

const AT = "2026-05-01T00:00:00Z";
const RUN = { run_id: "run-1", session_id: "sess-1" };

/** For each event type a payload with every field that the protocol knows. */
export const FULL: { [T in EventType]: PayloadInput<T> } = {
  pre_action: { tool_name: "bash", arguments: { command: "ls" }, note: null },
  post_action: { status: "ok" },
  pre_prompt: { prompt: "hello" },
  post_response: { text: "hello" },
  session_start: {},
  session_end: { reason: "done" },
  error: { message: "it broke" },
  heartbeat: {
    uptime_ms: 1_000,
    total_events_processed: 3,
    current_state: "working",
    cpu_percent: 12.5,
    memory_bytes: 1_024,
    active_tools: 1,
    pending_actions: 2,
    queue_depth: 3,
    tokens_used: 42,
  },
  success: { session_id: "sess-1", action_type: "tool", action_summary: "listed", duration_ms: 5 },
  idle: {
    idle_duration_ms: 60_000,
    idle_reason: "waiting",
    last_event_type: "post_action",
    suggested_action: "consolidate",
  },
  intent_detection: { session_id: "sess-1", prompt: "fix it", workspace: "/repo", language_hint: "en" },
  context_perception: {
    session_id: "sess-1",
    intent: "understand",
    target: { location: { path: ".", location_type: "workspace" } },
    domain: "coding",
    preferred_modality: "code",
    urgency: "high",
    freshness: "recent",
    context: {
      workspace: "/repo",
      current_task: "read",
      query: "how?",
      relevant_history: [{ item_type: "note", content: "before", timestamp: 1_700_000_000 }],
    },
    constraints: { max_results: 5, max_context_length: 2_000, include_sources: false },
    metadata: { source: "test" },
  },
  memory_recall: {
    session_id: "sess-1",
    query: "deploys",
    memory_type: "episodic",
    max_results: 3,
    working_directory: "/repo",
  },
  planning: {
    session_id: "sess-1",
    task_description: "refactor",
    available_strategies: ["none", "step_by_step", "tree_of_thoughts", "graph_planning", { custom: "mine" }],
    constraints: { steps: 3 },
  },
  reasoning: {
    session_id: "sess-1",
    reasoning_type: { other: "analogy" },
    problem_statement: "why?",
    hints: ["look at the log"],
  },
  rate_limit: {
    session_id: "sess-1",
    limit_type: { custom: "disk" },
    retry_after_ms: 500,
    current_usage: "99%",
  },
  confirmation: {
    session_id: "sess-1",
    confirmation_type: { custom: "legal" },
    message: "Really?",
    options: ["yes", "no"],
  },
  run_lifecycle: {
    ...RUN,
    status: "executing",
    prompt: "fix the tests",
    result_summary: "fixed",
    error: "none",
    started_at: AT,
    updated_at: AT,
    metadata: { attempt: 1 },
  },
  task_list: {
    ...RUN,
    updated_at: AT,
    metadata: { board: "main" },
    tasks: [
      {
        id: "step-1",
        title: "Look",
        status: "in_progress",
        depends_on: ["step-0"],
        evidence: [{ kind: "log", summary: "seen", artifact: { id: "a1" }, metadata: { line: 3 } }],
        artifacts: [
          {
            id: "a1",
            kind: "file",
            uri: "file:///a",
            path: "/a",
            mime_type: "text/plain",
            sha256: "00",
            size_bytes: 1,
            summary: "a file",
          },
        ],
        error: "none",
        updated_at: AT,
        metadata: { owner: "me" },
      },
    ],
  },
  verification: {
    ...RUN,
    status: "needs_review",
    updated_at: AT,
    residual_risks: ["untested on Windows"],
    metadata: { suite: "all" },
    checks: [
      {
        id: "unit",
        subject: "tests",
        status: "passed",
        command: "npm test",
        message: "all green",
        evidence: [{ kind: "log", summary: "ok" }],
        artifacts: [{ id: "log" }],
        metadata: { seconds: 3 },
      },
    ],
  },
};

/** Only what is required. */
export const MINIMAL: { [T in EventType]: PayloadInput<T> } = {
  ...FULL,
  heartbeat: { uptime_ms: 0, total_events_processed: 0, current_state: "idle" },
  idle: { idle_duration_ms: 0, idle_reason: "none" },
  intent_detection: { session_id: "sess-1", prompt: "fix it", workspace: "/repo" },
  context_perception: {
    session_id: "sess-1",
    intent: "track",
    target: { state: { target: "build", aspect: "status", include_history: false } },
    context: { workspace: "/repo" },
  },
  planning: { session_id: "sess-1", task_description: "refactor", available_strategies: [] },
  reasoning: { session_id: "sess-1", reasoning_type: "re_act", problem_statement: "why?" },
  rate_limit: { session_id: "sess-1", limit_type: "llm_token_limit", retry_after_ms: 0, current_usage: "1" },
  confirmation: { session_id: "sess-1", confirmation_type: "user_confirm", message: "Really?" },
  run_lifecycle: { ...RUN, status: "created", updated_at: AT },
  task_list: { ...RUN, tasks: [], updated_at: AT },
  verification: { ...RUN, status: "pending", updated_at: AT },
};

/** For each typed payload one that breaks it: a required field has the wrong type or is gone. */
export const BROKEN = {
  heartbeat: { uptime_ms: "long", total_events_processed: 0, current_state: "idle" },
  success: { session_id: "sess-1" },
  idle: { idle_duration_ms: -1, idle_reason: "none" },
  intent_detection: { session_id: "sess-1", prompt: 3, workspace: "/repo" },
  context_perception: { ...MINIMAL.context_perception, target: { state: {}, rule: {} } },
  memory_recall: { session_id: "sess-1", query: "deploys" },
  planning: { session_id: "sess-1", task_description: "x", available_strategies: ["guess"] },
  reasoning: { session_id: "sess-1", reasoning_type: "intuition", problem_statement: "why?" },
  rate_limit: { session_id: "sess-1", limit_type: "llm_token_limit", current_usage: "1" },
  confirmation: { session_id: "sess-1", confirmation_type: "whim", message: "Really?" },
  run_lifecycle: { ...RUN, status: "sleeping", updated_at: AT },
  task_list: { ...RUN, updated_at: AT, tasks: [{ id: "step-1", title: "Look", status: "maybe" }] },
  verification: { ...RUN, status: "passed" },
} as const satisfies Partial<Record<EventType, unknown>>;

export type TypedType = keyof typeof BROKEN;
/** Questions whose payload has a shape. */
export type TypedQuestion = Extract<TypedType, BlockingType>;
