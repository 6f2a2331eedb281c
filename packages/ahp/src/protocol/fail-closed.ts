import type { BlockingType, DecisionOf } from "./events.ts";
import type { GenericDecision } from "./events/generic.ts";

const block = (reason: string) => ({ decision: "block", reason }) as const satisfies GenericDecision;

type Refusals = { [T in BlockingType]: (reason: string) => DecisionOf<T> };

/** What each question is answered with when nobody answers: never a yes. */
export const FAIL_CLOSED: Refusals = {
  pre_action: block,
  pre_prompt: block,
  idle: (reason) => ({ decision: "defer", reason }),
  intent_detection: block,
  context_perception: block,
  memory_recall: block,
  planning: block,
  reasoning: block,
  rate_limit: (reason) => ({ decision: "skip", reason }),
  confirmation: (reason) => ({ decision: "reject", reason }),
};
