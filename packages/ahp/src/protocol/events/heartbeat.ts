import { z } from "zod";

import { Count, unset } from "../fields.ts";

export const HeartbeatPayload = z.object({
  uptime_ms: Count,
  total_events_processed: Count,
  current_state: z.string(),
  cpu_percent: unset(z.number()),
  memory_bytes: unset(Count),
  active_tools: unset(Count),
  pending_actions: unset(Count),
  queue_depth: unset(Count),
  tokens_used: unset(z.int()),
});
export type HeartbeatPayload = z.infer<typeof HeartbeatPayload>;
