import type { BlockingType, DecisionOf, PerceptionIntent, PerceptionTarget } from "@fairlead/ahp";
import type { PlanningStrategy, TargetHints } from "@fairlead/ahp";
import type { ToolArguments } from "../../ports/tool.ts";
import type { PromptChange } from "./prompt-change.ts";

/** Nobody has a say here: go on as without supervision. */
export interface NoSay {
  readonly kind: "none";
}
/** The turn does not go on. */
export interface Stop {
  readonly kind: "stop";
  readonly reason: string;
}
/** Ask again after this long: a durable timer where it is long. */
export interface WaitFor {
  readonly kind: "wait";
  readonly ms: number;
  readonly reason: string;
}
/** A person decides. */
export interface AskPerson {
  readonly kind: "ask";
  readonly reason: string;
}

export interface ChangedCall {
  readonly name: string;
  readonly arguments: ToolArguments;
}

/** What the loop does after each question. `text` is for the model, rendered and bounded; undefined where there is none. */
export interface Effects {
  pre_action:
    /** With another call in its place, which passes the guard again. */
    | { readonly kind: "run"; readonly call?: ChangedCall }
    /** The model is told why, and goes on. */
    | { readonly kind: "deny"; readonly reason: string }
    | WaitFor
    /** About the call as it would run: what rules changed before stays changed. */
    | (AskPerson & { readonly call?: ChangedCall });
  pre_prompt:
    | { readonly kind: "go"; readonly change?: PromptChange }
    | Stop
    | WaitFor
    | (AskPerson & { readonly change?: PromptChange });
  planning:
    | {
        readonly kind: "go";
        readonly strategy?: PlanningStrategy;
        /** In the place of the one that was asked about. */
        readonly task?: string;
        readonly text: string | undefined;
      }
    | Stop
    | NoSay;
  reasoning: { readonly kind: "go"; readonly text: string | undefined } | Stop | NoSay;
  context_perception:
    | { readonly kind: "go"; readonly text: string | undefined }
    /** Asked again with this, a few times at most. */
    | {
        readonly kind: "refine";
        readonly intent?: PerceptionIntent;
        readonly target?: PerceptionTarget;
        readonly scope_hints: readonly string[];
      }
    | Stop
    | NoSay;
  memory_recall: { readonly kind: "go"; readonly text: string | undefined } | Stop | NoSay;
  intent_detection:
    | {
        readonly kind: "go";
        readonly intent: string;
        readonly confidence: number;
        readonly hints: TargetHints;
      }
    | Stop
    | NoSay;
  rate_limit:
    | WaitFor
    /** Park until the provider takes requests again. */
    | { readonly kind: "queue"; readonly reason: string }
    /** The next model, or the end of the turn. */
    | { readonly kind: "skip"; readonly reason: string }
    | NoSay;
  confirmation:
    | { readonly kind: "approve" }
    | { readonly kind: "reject"; readonly reason: string }
    | AskPerson;
  idle: { readonly kind: "go" } | { readonly kind: "later"; readonly reason: string } | NoSay;
}

export type EffectOf<T extends BlockingType> = Effects[T];

/**
 * What a decision of the type becomes; `by` is who made it. `changed` has the payload where somebody changed it on the way
 * to a decision that does not say to what.
 */
export type Reading<T extends BlockingType> = (
  decision: DecisionOf<T>,
  by: string,
  changed: { readonly payload: unknown } | undefined,
) => Effects[T];
