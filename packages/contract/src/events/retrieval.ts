import { z } from "zod";
import { fact, jsonObject, text } from "./fields.ts";

export const RETRIEVAL_EVENTS = {
  "runtime.retrieval.completed": fact({
    tier: "default",
    faces: { frontend: "retrieval", runtime: null },
    doc: "What was looked up for this turn: citations and a summary of the context pack.",
    fields: {
      query: text.optional(),
      citations: z.array(jsonObject),
      context_pack: jsonObject.optional(),
    },
  }),
  "runtime.cognition.summary": fact({
    tier: "default",
    faces: { frontend: "antahkarana", runtime: null },
    doc: "The cognition and guardrail summary of a turn.",
    fields: {
      summary: text,
      guardrails: z.array(jsonObject).optional(),
      details: jsonObject.optional(),
    },
  }),
};
