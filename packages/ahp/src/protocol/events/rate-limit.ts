import { z } from "zod";

import { Count, Metadata, unset } from "../fields.ts";

export const RateLimitType = z.union([
  z.enum(["llm_token_limit", "llm_request_limit", "api_request_limit", "tool_execution_limit"]),
  z.object({ custom: z.string() }),
]);
export type RateLimitType = z.infer<typeof RateLimitType>;

export const RateLimitPayload = z.object({
  session_id: z.string(),
  limit_type: RateLimitType,
  retry_after_ms: Count,
  current_usage: z.string(),
});
export type RateLimitPayload = z.infer<typeof RateLimitPayload>;

export const RateLimitDecision = z.discriminatedUnion("decision", [
  z.object({
    decision: z.literal("retry"),
    retry_after_ms: Count,
    metadata: unset(Metadata),
  }),
  z.object({ decision: z.literal("queue") }),
  z.object({ decision: z.literal("skip"), reason: z.string() }),
]);
export type RateLimitDecision = z.infer<typeof RateLimitDecision>;
