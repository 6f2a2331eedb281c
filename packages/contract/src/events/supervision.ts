import { z } from "zod";
import { count, fact, json, text } from "./fields.ts";

/** Where an answer came from. All but `supervisor` mean block: supervision fails closed, and the log says why. */
const ANSWER_SOURCES = ["supervisor", "timeout", "invalid", "failed"] as const;

export const SUPERVISION_EVENTS = {
  "runtime.supervision.asked": fact({
    tier: "debug",
    faces: { frontend: null, runtime: null },
    doc: "A supervisor was asked before the work went on. `event_type` is AHP's.",
    fields: {
      supervision_id: text,
      event_type: text,
      supervisor: text,
      payload: json,
      depth: count.optional(),
      timeout_ms: count.optional(),
      tool_call_id: text.optional(),
    },
  }),
  "runtime.supervision.answered": fact({
    tier: "debug",
    faces: { frontend: null, runtime: null },
    doc: "The supervisor's answer, or the block that stands in for a missing one. `decision` is AHP's.",
    fields: {
      supervision_id: text,
      event_type: text,
      supervisor: text,
      source: z.enum(ANSWER_SOURCES),
      decision: z.looseObject({ decision: text }),
      reason: text.optional(),
      elapsed_ms: z.number().min(0).optional(),
    },
  }),
};
