import { z } from "zod";

import { unset } from "../fields.ts";

export const IntentDetectionPayload = z.object({
  session_id: z.string(),
  prompt: z.string(),
  workspace: z.string(),
  language_hint: unset(z.string()),
});
export type IntentDetectionPayload = z.infer<typeof IntentDetectionPayload>;

export const TargetHints = z.object({
  target_type: unset(z.string()),
  target_name: unset(z.string()),
  domain: unset(z.string()),
});
export type TargetHints = z.infer<typeof TargetHints>;

export const IntentDetectionDecision = z.discriminatedUnion("decision", [
  z.object({
    decision: z.literal("allow"),
    detected_intent: z.string(),
    confidence: z.number(),
    target_hints: unset(TargetHints),
  }),
  z.object({ decision: z.literal("block"), reason: z.string() }),
]);
export type IntentDetectionDecision = z.infer<typeof IntentDetectionDecision>;
