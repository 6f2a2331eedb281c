import { z } from "zod";
import { count, runtimeFact, text } from "./fields.ts";

export const SKILL_EVENTS = {
  "runtime.skill.candidate.created": runtimeFact(
    "runtime.skill.candidate.created",
    "A skill worth keeping was found.",
    {
      candidate_id: text,
      name: text,
      confidence: z.number(),
      evidence_count: count,
      status: text,
      proposed_path: text.optional(),
    },
  ),
};
