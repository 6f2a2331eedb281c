import { z } from "zod";

import { Metadata, Texts, unset } from "../fields.ts";

export const ReasoningType = z.union([
  z.enum(["chain_of_thought", "tree_of_thoughts", "re_act", "reflexion"]),
  z.object({ other: z.string() }),
]);
export type ReasoningType = z.infer<typeof ReasoningType>;

export const ReasoningPayload = z.object({
  session_id: z.string(),
  reasoning_type: ReasoningType,
  problem_statement: z.string(),
  hints: unset(Texts),
});
export type ReasoningPayload = z.infer<typeof ReasoningPayload>;

export const ReasoningDecision = z.discriminatedUnion("decision", [
  z.object({ decision: z.literal("allow"), hints: unset(Texts), metadata: unset(Metadata) }),
  z.object({ decision: z.literal("block"), reason: z.string(), metadata: unset(Metadata) }),
]);
export type ReasoningDecision = z.infer<typeof ReasoningDecision>;
