import type { EventType } from "@fairlead/ahp";
import { AHP_EVENTS, EVENT_TYPES, GenericDecision } from "@fairlead/ahp";
import type { z } from "zod";

/** A decision as the protocol has it, whatever the event type. */
export type AnyDecision = { readonly decision: string } & Readonly<Record<string, unknown>>;

type Variant = z.ZodObject<z.ZodRawShape>;
type Variants = ReadonlyMap<string, Variant>;

function variantsOf(type: EventType): Variants {
  const schema = AHP_EVENTS[type].decision ?? GenericDecision;
  const options: readonly z.ZodObject[] = schema.options;
  return new Map(
    options.map((option) => {
      const { decision } = option.shape as { decision: z.ZodLiteral<string> };
      return [decision.value, option];
    }),
  );
}

const VARIANTS = Object.fromEntries(EVENT_TYPES.map((type) => [type, variantsOf(type)])) as Record<
  EventType,
  Variants
>;

/** The schema of one decision of one event type; undefined when the type has no such decision. */
export function variant(type: EventType, decision: string): Variant | undefined {
  return VARIANTS[type].get(decision);
}

/** What a rule may say about its decision. The payload of a modification is not stated but made by the patch. */
export const DECISION_FIELDS: readonly string[] = [
  ...new Set(
    EVENT_TYPES.flatMap((type) => [...VARIANTS[type].values()].flatMap(({ shape }) => Object.keys(shape))),
  ),
].filter((name) => name !== "decision" && name !== "modified_payload");

/** Whether the decision carries a payload that the rules' patches make. */
export function makesPayload(type: EventType, decision: string): boolean {
  return decision === "modify" && VARIANTS[type].get(decision)?.shape["modified_payload"] !== undefined;
}
