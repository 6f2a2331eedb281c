import type { AhpEvent, BlockingType } from "@fairlead/ahp";
import { isBlocking, PlanningStrategy, RateLimitPayload } from "@fairlead/ahp";
import type { AnyDecision } from "./decision.ts";
import type { GenericDefault } from "./rule.ts";

/** `null`: nobody here can answer, which the protocol has an error for. */
type Fallback = (event: AhpEvent, generic: GenericDefault) => AnyDecision | null;

export const NO_RULE = "No rule decides this.";
const RETRY_AFTER_MS = 1_000;

const GENERIC: Record<GenericDefault, AnyDecision> = {
  allow: { decision: "allow" },
  block: { decision: "block", reason: NO_RULE },
  escalate: { decision: "escalate", reason: NO_RULE },
};

const generic: Fallback = (_, stated) => GENERIC[stated];

/** What is answered where no rule matches. */
const FALLBACKS: Record<BlockingType, Fallback> = {
  pre_action: generic,
  pre_prompt: generic,
  idle: () => ({ decision: "allow" }),
  intent_detection: () => null,
  context_perception: () => ({ decision: "allow", injected_context: { facts: [] } }),
  memory_recall: () => ({ decision: "allow", injected_facts: [] }),
  planning: ({ payload }) => ({ decision: "allow", selected_strategy: firstStrategy(payload) }),
  reasoning: () => ({ decision: "allow" }),
  rate_limit: ({ payload }) => ({ decision: "retry", retry_after_ms: retryAfter(payload) }),
  // A person is asked.
  confirmation: () => ({ decision: "escalate" }),
};

export function fallback(event: AhpEvent, stated: GenericDefault): AnyDecision | null {
  // What asks nothing is answered only in a batch, and there like any gate.
  const answer = isBlocking(event.event_type) ? FALLBACKS[event.event_type] : generic;
  return answer(event, stated);
}

function firstStrategy(payload: unknown): PlanningStrategy {
  const offered = (payload as { available_strategies?: unknown } | null)?.available_strategies;
  const first = PlanningStrategy.safeParse(Array.isArray(offered) ? offered[0] : undefined);
  return first.success ? first.data : "none";
}

function retryAfter(payload: unknown): number {
  const asked = RateLimitPayload.shape.retry_after_ms.safeParse(
    (payload as { retry_after_ms?: unknown } | null)?.retry_after_ms,
  );
  return asked.success ? asked.data : RETRY_AFTER_MS;
}
