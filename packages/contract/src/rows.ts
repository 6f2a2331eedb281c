import { z } from "zod";
import { DECISIONS, QUESTION_KINDS, RISKS } from "./events/question.ts";
import { SESSION_STATUSES, SessionState } from "./events/session.ts";
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
  /** The last `session_state`; null before the first. */
  state: SessionState.nullable(),
});
export type SessionRow = z.infer<typeof SessionRow>;

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
});
export type QuestionRow = z.infer<typeof QuestionRow>;

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
