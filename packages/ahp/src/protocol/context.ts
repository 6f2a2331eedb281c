import { z } from "zod";

import { Fact } from "./fact.ts";
import { Count, Metadata, Texts, unset } from "./fields.ts";

export const MemorySummary = z.object({
  memory_type: z.string(),
  total_items: Count,
  recent_topics: Texts,
});
export type MemorySummary = z.infer<typeof MemorySummary>;

export const SessionStats = z.object({
  total_actions: Count,
  total_tokens: z.int(),
  duration_ms: Count,
  error_count: Count,
});
export type SessionStats = z.infer<typeof SessionStats>;

/** What the agent chooses to tell about its situation, so that the harness can decide with it. */
export const EventContext = z.object({
  recent_facts: unset(z.array(Fact)),
  memory_summary: unset(MemorySummary),
  session_stats: unset(SessionStats),
  current_task: unset(z.string()),
  capabilities: unset(Metadata),
});
export type EventContext = z.infer<typeof EventContext>;
