import { z } from "zod";
import { route } from "../define-route.ts";
import { QUESTION_KINDS, SCOPE_KINDS } from "../events/question.ts";
import { idSchema } from "../ids.ts";
import { QUESTION_STATES, QuestionRow } from "../rows.ts";
import { rowPage, rowQuery, SessionRef } from "./fields.ts";

const params = z.strictObject({ id: idSchema("question") });

export const QUESTION_ROUTES = {
  listQuestions: route({
    method: "GET",
    path: "/approvals",
    summary: "What needs a decision?",
    doc: "Questions of every session the caller may see, the newest first. `state=pending` gives those that wait.",
    role: "viewer",
    agents: true,
    query: z.strictObject({
      ...rowQuery,
      state: z.enum(QUESTION_STATES).optional(),
      kind: z.enum(QUESTION_KINDS).optional(),
      session_id: SessionRef.optional(),
    }),
    status: 200,
    reply: rowPage(QuestionRow),
    errors: ["invalid_cursor"],
  }),
  getQuestion: route({
    method: "GET",
    path: "/approvals/{id}",
    summary: "Read a question",
    doc: "What is asked, what the person is shown, and the decision once there is one.",
    role: "viewer",
    agents: true,
    params,
    status: 200,
    reply: QuestionRow,
    errors: ["invalid_id", "question_not_found"],
  }),
  decideQuestion: route({
    method: "POST",
    path: "/approvals/{id}/decision",
    summary: "Decide a question",
    doc: "Exactly once, by anyone entitled: a second decision gets 409 and sees the first. An agent never decides. `scope` says how far a yes reaches: this call when left out, its turn or session, or a `pattern` that outlives them until it expires or is revoked.",
    role: "operator",
    agents: false,
    params,
    body: z.strictObject({
      decision: z.enum(["approved", "denied", "edited"]),
      note: z.string().max(4000).optional(),
      edited: z.unknown().optional(),
      answer: z.unknown().optional(),
      /** What the decider was looking at. When it is no longer what the question shows, nothing is decided. */
      shown_hash: z.string().max(200).optional(),
      scope: z
        .strictObject({
          kind: z.enum(SCOPE_KINDS),
          /** Of a turn or session: the one that the question suggests, when left out. */
          pattern: z.string().max(1000).optional(),
          expires_at: z.iso.datetime().optional(),
        })
        .optional(),
    }),
    status: 200,
    reply: QuestionRow,
    errors: ["invalid_id", "question_not_found", "question_decided", "question_expired", "question_changed"],
  }),
};
