import { z } from "zod";

import { Texts, unset } from "../fields.ts";

const TimeRange = z.object({
  from: unset(z.int()),
  to: unset(z.int()),
  relative: unset(z.string()),
});

const TARGETS = {
  entity: z.object({
    name: z.string(),
    entity_type: z.string(),
    identifier: unset(z.string()),
  }),
  location: z.object({ path: z.string(), location_type: z.string() }),
  event: z.object({
    description: z.string(),
    event_type: z.string(),
    time_range: unset(TimeRange),
  }),
  relation: z.object({ entities: Texts, relation_type: z.string() }),
  rule: z.object({ name: z.string(), rule_type: z.string(), scope: unset(z.string()) }),
  state: z.object({ target: z.string(), aspect: z.string(), include_history: z.boolean() }),
  resource: z.object({
    name: z.string(),
    resource_type: z.string(),
    constraints: unset(z.unknown()),
  }),
  pattern: z.object({ pattern: z.string(), pattern_type: z.string() }),
};

/** What the model wants to know about: an object with exactly one of these keys. */
export const PerceptionTarget = z.union([
  z.strictObject({ entity: TARGETS.entity }),
  z.strictObject({ location: TARGETS.location }),
  z.strictObject({ event: TARGETS.event }),
  z.strictObject({ relation: TARGETS.relation }),
  z.strictObject({ rule: TARGETS.rule }),
  z.strictObject({ state: TARGETS.state }),
  z.strictObject({ resource: TARGETS.resource }),
  z.strictObject({ pattern: TARGETS.pattern }),
]);
export type PerceptionTarget = z.infer<typeof PerceptionTarget>;
