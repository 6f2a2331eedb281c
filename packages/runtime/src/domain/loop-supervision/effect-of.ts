import type { BlockingType } from "@fairlead/ahp";
import type { AnyDecision } from "../../ports/supervisor.ts";
import { readDecision } from "../supervision/strictest.ts";
import type { EffectOf, Effects, Reading } from "./effects.ts";
import { readContext, readIntent, readMemory } from "./read-knowledge.ts";
import { readAction, readPrompt } from "./read-gates.ts";
import { readConfirmation, readIdle, readRateLimit } from "./read-pace.ts";
import { readPlanning, readReasoning } from "./read-thought.ts";

const READINGS: { readonly [T in BlockingType]: Reading<T> } = {
  pre_action: readAction,
  pre_prompt: readPrompt,
  planning: readPlanning,
  reasoning: readReasoning,
  context_perception: readContext,
  memory_recall: readMemory,
  intent_detection: readIntent,
  rate_limit: readRateLimit,
  confirmation: readConfirmation,
  idle: readIdle,
};

/** Where nobody has a say. A gate has somebody always, so silence there is a fault; a confirmation is a person's. */
const SILENCE: Effects = {
  pre_action: { kind: "deny", reason: "Nobody has judged this call." },
  pre_prompt: { kind: "stop", reason: "Nobody has judged this prompt." },
  planning: { kind: "none" },
  reasoning: { kind: "none" },
  context_perception: { kind: "none" },
  memory_recall: { kind: "none" },
  intent_detection: { kind: "none" },
  rate_limit: { kind: "none" },
  confirmation: { kind: "ask", reason: "Nobody has answered for a person." },
  idle: { kind: "none" },
};

/** What is no decision of its type is read as the strictest one. */
const STRICT: { readonly [T in BlockingType]: (reason: string) => Effects[T] } = {
  pre_action: (reason) => ({ kind: "deny", reason }),
  pre_prompt: (reason) => ({ kind: "stop", reason }),
  planning: (reason) => ({ kind: "stop", reason }),
  reasoning: (reason) => ({ kind: "stop", reason }),
  context_perception: (reason) => ({ kind: "stop", reason }),
  memory_recall: (reason) => ({ kind: "stop", reason }),
  intent_detection: (reason) => ({ kind: "stop", reason }),
  rate_limit: (reason) => ({ kind: "skip", reason }),
  confirmation: (reason) => ({ kind: "reject", reason }),
  idle: (reason) => ({ kind: "later", reason }),
};

export interface Judged {
  readonly decision: AnyDecision | undefined;
  readonly by: string;
  /** As the decision leaves it. */
  readonly payload?: unknown;
}

/**
 * What the loop does after a judgement: pure, total, and on the strict side of what it does not know. `asked` is the payload
 * that was given to be judged: with it, what a person is asked about is what would run.
 */
export function effectOf<T extends BlockingType>(
  type: T,
  { decision, by, payload }: Judged,
  asked?: unknown,
): EffectOf<T> {
  if (decision === undefined) return SILENCE[type];
  const read = readDecision(type, decision);
  if (read === undefined) return STRICT[type](`${by} gave an answer that is no decision of ${type}.`);
  // The cast restores what the schema has checked: a decision of this type.
  const isChanged = asked !== undefined && payload !== undefined && payload !== asked;
  return READINGS[type](read as never, by, isChanged ? { payload } : undefined);
}
