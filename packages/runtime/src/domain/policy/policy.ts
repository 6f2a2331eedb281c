import type { EventType } from "@fairlead/ahp";
import type { Condition } from "./cel/condition.ts";
import type { AnyDecision } from "./decision.ts";
import type { Patch } from "./patch.ts";
import type { GenericDefault } from "./rule.ts";

/** One rule, ready to be applied. */
export interface Rule {
  readonly id: string;
  readonly description: string | undefined;
  readonly on: readonly EventType[];
  /** As it is written; undefined when the rule always applies. */
  readonly when: string | undefined;
  readonly decide: string;
  readonly reason: string | undefined;
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly condition: Condition | undefined;
  /** What it answers to each event type; for a generic `modify` without the payload, which the patch makes. */
  readonly answers: ReadonlyMap<EventType, AnyDecision>;
  readonly patch: Patch | undefined;
}

/** A rule set that compiled. Immutable: a change of rules is another policy. */
export interface Policy {
  /** SHA-256 of what the rules say, in their order; comments, descriptions and layout aside. */
  readonly hash: string;
  readonly rules: readonly Rule[];
  readonly defaults: { readonly generic: GenericDefault };
  /** The rules that look at events of this type, in order. */
  rulesOn(type: EventType): readonly Rule[];
  /** Those of them that can match on an action that is quiet. */
  quietRulesOn(type: EventType): readonly Rule[];
}
