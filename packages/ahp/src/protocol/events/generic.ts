import { z } from "zod";

import { Count, Metadata, Said, unset } from "../fields.ts";

/** The answer to action and prompt gates, and to every entry of a batch. */
export const GenericDecision = z.discriminatedUnion("decision", [
  z.object({
    decision: z.literal("allow"),
    modified_payload: unset(z.unknown()),
    metadata: unset(Metadata),
  }),
  z.object({ decision: z.literal("block"), reason: z.string(), metadata: unset(Metadata) }),
  z.object({ decision: z.literal("modify"), modified_payload: Said, metadata: unset(Metadata) }),
  z.object({
    decision: z.literal("defer"),
    retry_after_ms: Count,
    reason: unset(z.string()),
  }),
  z.object({
    decision: z.literal("escalate"),
    reason: z.string(),
    escalation_target: unset(z.string()),
  }),
]);
export type GenericDecision = z.infer<typeof GenericDecision>;
