import { z } from "zod";
import { ApprovalScope, DECISIONS, QUESTION_KINDS, RISKS, SCOPE_KINDS } from "./events/question.ts";
import { TURN_STATUSES } from "./events/request.ts";
import { SESSION_STATUSES, SessionState } from "./events/session.ts";
import { Pausing } from "./events/kernel.ts";
import { HealthSnapshot } from "./events/health.ts";
import { ROLES, TOKEN_PURPOSES } from "./events/token.ts";
import { idSchema } from "./ids.ts";

// Rows are folds of the log, kept beside it in the same commit, and served as they are.

const seq = z.int().min(0);
const time = z.string();

export const SessionRow = z.object({
  session_id: idSchema("session"),
  kind: z.string(),
  status: z.enum(SESSION_STATUSES),
  title: z.string().nullable(),
  project: z.string().nullable(),
  owner: z.enum(["user", "system"]),
  created_by: z.string().nullable(),
  /** The open turn, or null. */
  turn_id: z.string().nullable(),
  head_seq: seq,
  created_at: time,
  updated_at: time,
  /** Names that callers and foreign agents gave it; each works where the id does. */
  aliases: z.array(z.string()).optional(),
  parent_session_id: z.string().nullish(),
  /** Somebody wants it to wait, and it goes on to where it can. */
  pausing: Pausing.nullish(),
  /** How its last turn ended. Missing or null while one is open, and before the first. */
  last_turn: z.enum(TURN_STATUSES).exclude(["parked"]).nullish(),
  /** The last `session_state`; null before the first. */
  state: SessionState.nullable(),
});
export type SessionRow = z.infer<typeof SessionRow>;

/** The row, and how the session fares. */
export const HealthyRow = SessionRow.extend({ health: HealthSnapshot });
export type HealthyRow = z.infer<typeof HealthyRow>;

export const QUESTION_STATES = ["pending", ...DECISIONS] as const;
export type QuestionState = (typeof QUESTION_STATES)[number];

export const QuestionRow = z.object({
  request_id: idSchema("question"),
  session_id: idSchema("session"),
  kind: z.enum(QUESTION_KINDS),
  state: z.enum(QUESTION_STATES),
  tool_name: z.string(),
  reason: z.string(),
  asked_by: z.string().nullable(),
  /** What the person sees; null when nothing more than the reason. */
  shown: z.unknown(),
  shown_hash: z.string().nullable(),
  risk: z.enum(RISKS).nullable(),
  expires_at: time.nullable(),
  asked_at: time,
  asked_seq: seq,
  decided_at: time.nullable(),
  /** Who decided. */
  actor: z.string().nullable(),
  note: z.string().nullable(),
  tool_call_id: z.string().optional(),
  /** Why a person is asked: `mode`, `rule:ID`, or a supervisor's name. */
  origin: z.string().optional(),
  /** A pattern to save with the yes, for the person to edit. */
  pattern: z.string().optional(),
  /** Of a sub-agent's question: which one asks, and the sessions above it that list the question too. */
  agent_id: z.string().optional(),
  parent_session_id: idSchema("session").optional(),
  root_session_id: idSchema("session").optional(),
  depth: z.int().optional(),
  /** How far the yes reaches. */
  scope: ApprovalScope.optional(),
  /** What a scope beyond this call is listed and revoked by. */
  grant_id: idSchema("grant").optional(),
  /** Of a yes with changes: what is done instead. */
  edited: z.unknown().optional(),
  /** Withdrawn because what it asked about holds no more: nobody said no, and no time ran out. */
  moot: z.literal(true).optional(),
  /** What the session is called that asks. */
  session_title: z.string().nullable().optional(),
});
export type QuestionRow = z.infer<typeof QuestionRow>;

export const GRANT_STATES = ["active", "expired", "revoked"] as const;
export type GrantState = (typeof GRANT_STATES)[number];

/** A yes that reaches beyond the call it was given for. */
export const GrantRow = z.object({
  grant_id: idSchema("grant"),
  /** The question that it was given on. */
  request_id: idSchema("question"),
  session_id: idSchema("session"),
  turn_id: z.string().nullable(),
  project: z.string().nullable(),
  state: z.enum(GRANT_STATES),
  scope: z.enum(SCOPE_KINDS).exclude(["call"]),
  /** What it allows: `TOOL: WORDS`. */
  pattern: z.string(),
  tool_name: z.string(),
  /** It answers only what is asked for the same reason. */
  origin: z.string().nullable(),
  /** Who gave it. */
  actor: z.string(),
  created_at: time,
  /** Null: with its turn or session. */
  expires_at: time.nullable(),
  revoked_at: time.nullable(),
  revoked_by: z.string().nullable(),
  /** Why it allows more than it may seem to; null when it does not. */
  risk: z.string().nullable(),
});
export type GrantRow = z.infer<typeof GrantRow>;

/** Never carries the secret or its hash. */
export const TokenRow = z.object({
  token_id: idSchema("token"),
  actor: z.string(),
  role: z.enum(ROLES),
  project: z.string().nullable(),
  label: z.string().nullable(),
  purpose: z.enum(TOKEN_PURPOSES),
  created_at: time,
  created_by: z.string().nullable(),
  expires_at: time.nullable(),
  revoked_at: time.nullable(),
  /** Set on a browser's: the token that asked for its link, with which it ends. */
  parent: idSchema("token").optional(),
});
export type TokenRow = z.infer<typeof TokenRow>;
