import { z } from "zod";
import { idSchema } from "../ids.ts";
import { count, fact, json, jsonObject, text, time } from "./fields.ts";

/**
 * Where an answer came from: rules, a supervisor or a person gave it; `waiting` says that a person has
 * not decided yet; the others mean that there was none, and what stands in for it is a refusal unless
 * the configuration says otherwise.
 */
const ANSWER_SOURCES = [
  "supervisor",
  "rules",
  "person",
  "waiting",
  "timeout",
  "invalid",
  "failed",
  "circuit",
] as const;
export type AnswerSource = (typeof ANSWER_SOURCES)[number];

export const SUPERVISION_EVENTS = {
  "runtime.supervision.asked": fact({
    tier: "debug",
    faces: { frontend: null, runtime: null },
    doc: "A supervisor was asked before the work went on. `event_type` is AHP's. Asked of the whole chain, `supervisor` is `fairlead`; of one external supervisor in it, its name, with the same `supervision_id`.",
    fields: {
      supervision_id: text,
      event_type: text,
      supervisor: text,
      /** Null where it is that of the chain's own question. */
      payload: json,
      payload_hash: text.optional(),
      depth: count.optional(),
      timeout_ms: count.optional(),
      tool_call_id: text.optional(),
      /** Which round, when a modified payload is judged again. */
      round: count.optional(),
      /** As the agent said it. */
      agent_session: text.optional(),
      agent_time: text.optional(),
      context: jsonObject.optional(),
      metadata: jsonObject.optional(),
    },
  }),
  "runtime.supervision.answered": fact({
    tier: "debug",
    faces: { frontend: null, runtime: null },
    doc: "The supervisor's answer, or the block that stands in for a missing one; `source` says which. `decision` is AHP's.",
    fields: {
      supervision_id: text,
      event_type: text,
      supervisor: text,
      source: z.enum(ANSWER_SOURCES),
      decision: z.looseObject({ decision: text }),
      reason: text.optional(),
      elapsed_ms: z.number().min(0).optional(),
      round: count.optional(),
      /** Who or what decided: a rule, an external supervisor, a person. */
      decided_by: text.optional(),
      /** The question that a person was asked. */
      request_id: idSchema("question").optional(),
    },
  }),
  "runtime.supervision.held": fact({
    tier: "debug",
    faces: { frontend: null, runtime: null },
    doc: "An agent's question waits for a person, or (`delivered`) got that person's decision, which is used up with it. `binding` is a hash of what was asked: the same question finds its decision by it, also after a restart.",
    fields: {
      state: z.enum(["waiting", "delivered"]),
      event_type: text,
      binding: text,
      request_id: idSchema("question"),
      /** Counts how often this was asked of a person. */
      round: count,
      supervision_id: text,
      /** The agent's own event that the decision went to, and when: a repeat of it gets the same answer. */
      occurrence: text.optional(),
      delivered_at: time.optional(),
    },
  }),
};
