import { z } from "zod";
import { event } from "../define.ts";
import { jsonObject, text, texts } from "./fields.ts";

/** Open, because each budget adds its own field. */
export const HealthSnapshot = z.looseObject({
  session_id: text,
  score: z.number(),
  flags: texts,
  budget_pressure: jsonObject.optional(),
  memory_provenance: z.array(jsonObject).optional(),
  audit: z.array(jsonObject).optional(),
  recovery_hint: text.nullish(),
  policy: z.looseObject({ health: jsonObject.optional(), enforcement: jsonObject.optional() }).optional(),
});

export type HealthSnapshot = z.infer<typeof HealthSnapshot>;

export const HEALTH_EVENTS = {
  "runtime.health.snapshot": event({
    v: 1,
    owner: "view",
    category: "view",
    tier: "default",
    persisted: true,
    faces: { frontend: "health_snapshot", runtime: null },
    doc: "How a session fares: score, risk flags, budget pressure and what would help. Derived from the log, stored when it changes.",
    data: HealthSnapshot,
  }),
};
