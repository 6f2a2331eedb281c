import { z } from "zod";

import { Fact } from "../fact.ts";
import { Count, defaulted, Metadata, Texts, unset } from "../fields.ts";
import { PerceptionTarget } from "./perception-target.ts";

export const PerceptionIntent = z.enum([
  "recognize",
  "understand",
  "locate",
  "retrieve",
  "explore",
  "reason",
  "validate",
  "compare",
  "track",
]);
export type PerceptionIntent = z.infer<typeof PerceptionIntent>;

export const PerceptionDomain = z.enum([
  "coding",
  "writing",
  "data_analysis",
  "research",
  "project_management",
  "conversation",
  "operations",
  "security",
  "general",
]);
export type PerceptionDomain = z.infer<typeof PerceptionDomain>;

export const PerceptionModality = z.enum([
  "text",
  "code",
  "structured_data",
  "table",
  "chart",
  "image",
  "audio",
  "video",
  "any",
]);
export type PerceptionModality = z.infer<typeof PerceptionModality>;

export const PerceptionUrgency = z.enum(["critical", "high", "normal", "low"]);
export type PerceptionUrgency = z.infer<typeof PerceptionUrgency>;

export const PerceptionFreshness = z.enum(["realtime", "recent", "static"]);
export type PerceptionFreshness = z.infer<typeof PerceptionFreshness>;

const HistoryItem = z.object({ item_type: z.string(), content: z.string(), timestamp: z.int() });

export const ContextPerceptionPayload = z.object({
  session_id: z.string(),
  intent: PerceptionIntent,
  target: PerceptionTarget,
  domain: defaulted(PerceptionDomain, "general"),
  preferred_modality: defaulted(PerceptionModality, "any"),
  urgency: defaulted(PerceptionUrgency, "normal"),
  freshness: defaulted(PerceptionFreshness, "static"),
  context: z.object({
    workspace: z.string(),
    current_task: unset(z.string()),
    query: unset(z.string()),
    relevant_history: unset(z.array(HistoryItem)),
  }),
  constraints: unset(
    z.object({
      max_results: unset(Count),
      max_context_length: unset(Count),
      include_sources: defaulted(z.boolean(), true),
    }),
  ),
  metadata: unset(Metadata),
});
export type ContextPerceptionPayload = z.infer<typeof ContextPerceptionPayload>;

export const InjectedContext = z.object({
  facts: z.array(Fact),
  file_contents: unset(
    z.array(z.object({ path: z.string(), snippet: z.string(), relevance_score: z.number() })),
  ),
  project_summary: unset(
    z.object({
      project_name: z.string(),
      language: unset(z.string()),
      key_files: unset(Texts),
      structure_description: z.string(),
    }),
  ),
  knowledge: unset(Texts),
  suggestions: unset(Texts),
});
export type InjectedContext = z.infer<typeof InjectedContext>;

export const ContextPerceptionDecision = z.discriminatedUnion("decision", [
  z.object({
    decision: z.literal("allow"),
    injected_context: InjectedContext,
    metadata: unset(Metadata),
  }),
  z.object({ decision: z.literal("block"), reason: z.string(), metadata: unset(Metadata) }),
  z.object({
    decision: z.literal("refine"),
    refined_intent: unset(PerceptionIntent),
    refined_target: unset(PerceptionTarget),
    scope_hints: Texts,
  }),
]);
export type ContextPerceptionDecision = z.infer<typeof ContextPerceptionDecision>;
