import { z } from "zod";
import { event } from "../define.ts";
import { Requirements } from "./evidence.ts";
import { count, fact, json, jsonObject, text, texts, time } from "./fields.ts";

export const SESSION_STATUSES = [
  "idle",
  "queued",
  "running",
  "awaiting_approval",
  "paused",
  "recovering",
  "completed",
  "needs_review",
  "failed",
  "cancelled",
] as const;
export type SessionStatus = (typeof SESSION_STATUSES)[number];

/** The kinds the runtime makes itself. A session may carry another: readers treat it as text. */
export const SESSION_KINDS = ["chat", "background", "supervised", "subagent"] as const;
export type SessionKind = (typeof SESSION_KINDS)[number];

/** What a session may do by itself. `plan` reads only; `accept_edits` edits files of the workspace without asking. */
export const PERMISSION_MODES = ["plan", "normal", "accept_edits", "full_access"] as const;
export type PermissionMode = (typeof PERMISSION_MODES)[number];

/**
 * What is asked of a person. `always`: all that can change something. `on_request`: what the permission mode leaves
 * open. `on_escalation`: only what a rule or supervisor escalates. `never`: what would be asked is denied.
 */
export const APPROVAL_MODES = ["always", "on_request", "on_escalation", "never"] as const;
export type ApprovalMode = (typeof APPROVAL_MODES)[number];

export const THINK_LEVELS = ["off", "low", "medium", "high"] as const;
export type ThinkLevel = (typeof THINK_LEVELS)[number];

/** When the model is asked to look back at its work. Neither set: never. */
export const Reflection = z.strictObject({
  /** After so many calls of tools in a row that failed. */
  after_failures: z.int().min(1).max(100).optional(),
  /** Before the end of a turn that changed something. */
  before_finish: z.boolean().optional(),
});
export type Reflection = z.infer<typeof Reflection>;

/** Unset and null mean the same: not known, or does not apply. */
const known = text.nullish();

/** What a sub-agent works under: who delegated it, with which call, and what it may use. */
export const Delegation = z.looseObject({
  /** Its name in the sessions above it. */
  agent_id: text,
  parent_session_id: text,
  parent_turn_id: text,
  root_session_id: text,
  tool_call_id: text,
  started_at: time.optional(),
  /** Left out: all that the session above may use. */
  tools: texts.optional(),
  max_tokens: count.optional(),
  max_cost_usd: z.number().min(0).optional(),
  max_steps: count.optional(),
});
export type Delegation = z.infer<typeof Delegation>;

/** Open on purpose: seed 000 says that `session_state` remains additive. */
export const SessionState = z.looseObject({
  session_id: text,
  status: z.enum(SESSION_STATUSES),
  kind: text.optional(),
  title: known,
  aliases: texts.optional(),
  provider: known,
  model: known,
  agent_profile: known,
  permission_mode: known,
  approval_mode: known,
  think_level: known,
  /** What the agent is told before anything else. */
  instructions: known,
  reflection: jsonObject.nullish(),
  /** What it owes before it is done. */
  requires: z.array(jsonObject).nullish(),
  /** Where it works. */
  workspace: known,
  /** The directory that it was started in, links followed. Unset: the runtime's own. */
  workspace_source: known,
  policy_path: known,
  sandbox_mode: known,
  sandbox_isolation: known,
  engine: known,
  runner_kind: known,
  approval_request_id: known,
  workspace_id: known,
  /** Which machine has the files of that workspace: only processes there go on with the session. */
  workspace_host: known,
  task_graph_id: known,
  process_id: z.union([z.int(), text]).nullish(),
  attempt_count: count.optional(),
  /** Of these, those made before an operator last let it go on: `max_retries` counts from there. */
  attempts_before: count.optional(),
  max_retries: count.optional(),
  expires_at: time.nullish(),
  parent_session_id: known,
  /** Of a sub-agent: the session at the top, and how many delegations lie between. */
  root_session_id: known,
  depth: count.optional(),
  delegation: Delegation.nullish(),
  /** The token that made it, where one did: a day's budget may be its own. */
  created_with: known,
  branch_source_event_id: known,
  branch_resume_cursor: known,
  last_heartbeat_at: time.nullish(),
  last_error: known,
  updated_at: time.nullish(),
  ended_at: time.nullish(),
  resume_context: jsonObject.nullish(),
  /** What its owner noted about it, and its `policy`. */
  metadata: jsonObject.nullish(),
});
export type SessionState = z.infer<typeof SessionState>;

/** What can be chosen for a session, and changed while it works. */
export const SessionSettings = z.strictObject({
  title: text.optional(),
  provider: text.optional(),
  model: text.optional(),
  permission_mode: z.enum(PERMISSION_MODES).optional(),
  approval_mode: z.enum(APPROVAL_MODES).optional(),
  think_level: z.enum(THINK_LEVELS).optional(),
  instructions: text.optional(),
  reflection: Reflection.optional(),
  requires: Requirements.optional(),
  /** Of background work. */
  max_retries: count.optional(),
  expires_at: time.nullish(),
  metadata: jsonObject.optional(),
});
export type SessionSettings = z.infer<typeof SessionSettings>;

export const SESSION_EVENTS = {
  "runtime.session.created": event({
    v: 1,
    owner: "runtime",
    category: "fact",
    tier: "default",
    persisted: false,
    faces: { frontend: "session", runtime: null },
    doc: "Tells the caller which session its request belongs to. The only event of seed 000 that is not stored, so it carries no SSE id.",
    data: z.strictObject({ session_id: text }),
  }),
  "runtime.session.state": event({
    v: 1,
    owner: "runtime",
    category: "fact",
    tier: "default",
    persisted: true,
    faces: { frontend: "session_state", runtime: null },
    doc: "What the session is now: status, model, permissions, isolation and, in the background, its attempts and branch. Later fields replace earlier ones whole. Additive: readers ignore what they do not know.",
    data: SessionState,
  }),
  "runtime.session.checkpoint": fact({
    tier: "default",
    faces: { frontend: "session_checkpoint", runtime: null },
    doc: "A place in the session that work can go on from. A branch begins with one of type `resume_seed`.",
    fields: {
      session_id: text,
      sequence: count,
      checkpoint_type: text,
      status: text,
      summary_text: text,
      resume_cursor: text.nullable(),
      details: jsonObject.optional(),
    },
  }),
  "runtime.session.configured": fact({
    tier: "debug",
    faces: { frontend: null, runtime: null },
    doc: "Somebody changed how the session works. Holds over every later `session_state` until it is changed again; the one beside it shows it.",
    fields: { session_id: text, actor: text, changes: SessionSettings },
  }),
  "runtime.session.snapshot": fact({
    tier: "debug",
    faces: { frontend: null, runtime: null },
    doc: "The state of the loop folded up to here, so that it need not be folded from the start. A reader that does not know `fold` folds from the start.",
    fields: { fold: text, upto: count, state: json },
  }),
  "runtime.session.seen": fact({
    tier: "debug",
    faces: { frontend: "session_seen", runtime: null },
    doc: "A person has looked at the session, up to an event: it leaves their inbox, wherever they open it. An addition to seed 000.",
    fields: { session_id: text, actor: text, upto_seq: count },
  }),
  "runtime.session.purged": fact({
    tier: "debug",
    faces: { frontend: null, runtime: null },
    doc: "A session's events were deleted for good. Kept on the system stream; the session answers 410 from then on.",
    fields: { session_id: text, actor: text, reason: text },
  }),
};
