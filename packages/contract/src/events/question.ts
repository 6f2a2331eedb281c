import { z } from "zod";
import { idSchema } from "../ids.ts";
import { count, fact, json, text, time } from "./fields.ts";

export const QUESTION_KINDS = ["approval", "user_input", "tool_call"] as const;
export type QuestionKind = (typeof QUESTION_KINDS)[number];

export const RISKS = ["low", "medium", "high", "critical"] as const;
export type Risk = (typeof RISKS)[number];

/** What can become of a question. `expired` is said by the runtime, the others by a person. */
export const DECISIONS = ["approved", "denied", "edited", "expired"] as const;
export type Decision = (typeof DECISIONS)[number];

/** How far a yes reaches. `pattern` outlives the session, until it expires or is revoked. */
export const SCOPE_KINDS = ["call", "turn", "session", "pattern"] as const;
export const ApprovalScope = z.strictObject({
  kind: z.enum(SCOPE_KINDS),
  /** `TOOL: WORDS`, such as `shell: git status*`. */
  pattern: text.optional(),
  expires_at: time.optional(),
});
export type ApprovalScope = z.infer<typeof ApprovalScope>;

export const QUESTION_EVENTS = {
  "runtime.question.asked": fact({
    tier: "default",
    faces: { frontend: "approval_required", runtime: null },
    doc: "The turn is parked until someone decides. `shown` is what that person sees; `shown_hash` binds the decision to it.",
    fields: {
      request_id: idSchema("question"),
      kind: z.enum(QUESTION_KINDS),
      tool_name: text,
      reason: text,
      asked_by: text.optional(),
      shown: json.optional(),
      shown_hash: text.optional(),
      risk: z.enum(RISKS).optional(),
      expires_at: time.optional(),
      tool_call_id: text.optional(),
      /** Why a person is asked: `mode`, `rule:ID`, or a supervisor's name. */
      origin: text.optional(),
      /** A pattern to save with the yes, for the person to edit. */
      pattern: text.optional(),
      /** Of a sub-agent's question: which one asks, and the sessions above it that show the question too. */
      agent_id: text.optional(),
      parent_session_id: idSchema("session").optional(),
      root_session_id: idSchema("session").optional(),
      depth: count.optional(),
    },
  }),
  "runtime.question.decided": fact({
    tier: "default",
    faces: { frontend: "approval_applied", runtime: null },
    doc: "A question got its one decision: which, by whom and when.",
    fields: {
      request_id: idSchema("question"),
      kind: z.enum(QUESTION_KINDS),
      tool_name: text,
      decision: z.enum(DECISIONS),
      actor: text,
      decided_at: time,
      note: text.optional(),
      edited: json.optional(),
      answer: json.optional(),
      scope: ApprovalScope.optional(),
      /** What a scope beyond this call is listed and revoked by. */
      grant_id: idSchema("grant").optional(),
      /** Withdrawn because what it asked about holds no more: nobody said no. */
      moot: z.literal(true).optional(),
    },
  }),
  "runtime.grant.revoked": fact({
    tier: "debug",
    faces: { frontend: null, runtime: null },
    doc: "A standing approval was taken back.",
    fields: { grant_id: idSchema("grant"), actor: text, reason: text.optional() },
  }),
};
