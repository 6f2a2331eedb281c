import { z } from "zod";

import { Count, unset } from "../fields.ts";

export const IdlePayload = z.object({
  idle_duration_ms: Count,
  idle_reason: z.string(),
  last_event_type: unset(z.string()),
  suggested_action: unset(z.string()),
});
export type IdlePayload = z.infer<typeof IdlePayload>;

export const IdleDecision = z.discriminatedUnion("decision", [
  z.object({ decision: z.literal("allow") }),
  z.object({ decision: z.literal("defer"), reason: unset(z.string()) }),
]);
export type IdleDecision = z.infer<typeof IdleDecision>;
