import { z } from "zod";

import { Fact } from "../fact.ts";
import { Count, Metadata, unset } from "../fields.ts";

export const MemoryRecallPayload = z.object({
  session_id: z.string(),
  query: z.string(),
  memory_type: z.string(),
  max_results: Count,
  working_directory: z.string(),
});
export type MemoryRecallPayload = z.infer<typeof MemoryRecallPayload>;

export const MemoryRecallDecision = z.discriminatedUnion("decision", [
  z.object({
    decision: z.literal("allow"),
    injected_facts: z.array(Fact),
    metadata: unset(Metadata),
  }),
  z.object({ decision: z.literal("block"), reason: z.string(), metadata: unset(Metadata) }),
]);
export type MemoryRecallDecision = z.infer<typeof MemoryRecallDecision>;
