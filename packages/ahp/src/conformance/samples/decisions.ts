import type { BlockingType, DecisionOf } from "../../protocol/events.ts";
import type { Fact } from "../../protocol/fact.ts";

const FACT: Fact = { content: "the sky is blue", source: "window", confidence: 0.9 };
const METADATA = { rule: "r1" };

type Variants = { [T in BlockingType]: Record<string, DecisionOf<T>> };

/** Every variant of every decision: bare, and with all its fields. */
export const DECISIONS: Variants = {
  pre_action: {
    allow: { decision: "allow" },
    "allow-full": { decision: "allow", modified_payload: { tool_name: "ls" }, metadata: METADATA },
    block: { decision: "block", reason: "no" },
    "block-full": { decision: "block", reason: "no", metadata: METADATA },
    modify: { decision: "modify", modified_payload: { tool_name: "ls" } },
    "modify-full": { decision: "modify", modified_payload: [1], metadata: METADATA },
    defer: { decision: "defer", retry_after_ms: 100 },
    "defer-full": { decision: "defer", retry_after_ms: 0, reason: "later" },
    escalate: { decision: "escalate", reason: "ask" },
    "escalate-full": { decision: "escalate", reason: "ask", escalation_target: "ops" },
  },
  pre_prompt: {
    allow: { decision: "allow" },
    block: { decision: "block", reason: "no" },
    modify: { decision: "modify", modified_payload: "shorter" },
    defer: { decision: "defer", retry_after_ms: 1 },
    escalate: { decision: "escalate", reason: "ask" },
  },
  idle: {
    allow: { decision: "allow" },
    defer: { decision: "defer" },
    "defer-full": { decision: "defer", reason: "busy" },
  },
  intent_detection: {
    allow: { decision: "allow", detected_intent: "edit", confidence: 0.5 },
    "allow-full": {
      decision: "allow",
      detected_intent: "edit",
      confidence: 1,
      target_hints: { target_type: "file", target_name: "a.ts", domain: "coding" },
    },
    block: { decision: "block", reason: "no" },
  },
  context_perception: {
    allow: { decision: "allow", injected_context: { facts: [] } },
    "allow-full": {
      decision: "allow",
      injected_context: {
        facts: [FACT],
        file_contents: [{ path: "a.ts", snippet: "let a", relevance_score: 0.1 }],
        project_summary: {
          project_name: "p",
          language: "ts",
          key_files: ["a.ts"],
          structure_description: "flat",
        },
        knowledge: ["k"],
        suggestions: ["s"],
      },
      metadata: METADATA,
    },
    block: { decision: "block", reason: "no" },
    "block-full": { decision: "block", reason: "no", metadata: METADATA },
    refine: { decision: "refine", scope_hints: [] },
    "refine-full": {
      decision: "refine",
      refined_intent: "locate",
      refined_target: { pattern: { pattern: "a*", pattern_type: "glob" } },
      scope_hints: ["src"],
    },
  },
  memory_recall: {
    allow: { decision: "allow", injected_facts: [] },
    "allow-full": { decision: "allow", injected_facts: [FACT], metadata: METADATA },
    block: { decision: "block", reason: "no" },
    "block-full": { decision: "block", reason: "no", metadata: METADATA },
  },
  planning: {
    allow: { decision: "allow", selected_strategy: "none" },
    "allow-full": {
      decision: "allow",
      selected_strategy: { custom: "mine" },
      planning_template: { steps: [] },
      metadata: METADATA,
    },
    block: { decision: "block", reason: "no" },
    "block-full": { decision: "block", reason: "no", metadata: METADATA },
    modify: { decision: "modify", modified_task: "less" },
    "modify-full": { decision: "modify", modified_task: "less", hints: ["h"] },
  },
  reasoning: {
    allow: { decision: "allow" },
    "allow-full": { decision: "allow", hints: ["h"], metadata: METADATA },
    block: { decision: "block", reason: "no" },
    "block-full": { decision: "block", reason: "no", metadata: METADATA },
  },
  rate_limit: {
    retry: { decision: "retry", retry_after_ms: 5 },
    "retry-full": { decision: "retry", retry_after_ms: 5, metadata: METADATA },
    queue: { decision: "queue" },
    skip: { decision: "skip", reason: "no" },
  },
  confirmation: {
    approve: { decision: "approve" },
    reject: { decision: "reject", reason: "no" },
    escalate: { decision: "escalate" },
  },
};

/** Null is unset, and a changed payload must be said. */
export const NULL_MODIFY = { decision: "modify", modified_payload: null };

/** An answer that no agent may act on: it belongs to another event type, or lacks what it must say. */
export const BAD_DECISIONS: { [T in BlockingType]: unknown } = {
  pre_action: { decision: "approve" },
  pre_prompt: { decision: "block" },
  idle: { decision: "block", reason: "no" },
  intent_detection: { decision: "allow" },
  context_perception: { decision: "allow", injected_context: {} },
  memory_recall: { decision: "allow", injected_facts: [{ content: "x" }] },
  planning: { decision: "allow", selected_strategy: "guess" },
  reasoning: { decision: "modify", modified_payload: {} },
  rate_limit: { decision: "retry" },
  confirmation: { decision: "allow" },
};
