import type { EventType } from "@fairlead/ahp";
import { EVENT_TYPES } from "@fairlead/ahp";
import { z } from "zod";
import { DECISION_FIELDS } from "./decision.ts";

const said = Object.fromEntries(DECISION_FIELDS.map((name) => [name, z.unknown().optional()]));

export const RuleText = z.strictObject({
  ...said,
  id: z
    .string()
    .regex(/^[a-z0-9][a-z0-9._-]{0,99}$/, "An id has small letters, digits, dots, dashes and underscores"),
  description: z.string().optional(),
  on: z
    .array(
      z.enum(EVENT_TYPES as [EventType, ...EventType[]], {
        error: ({ input }) => `${String(input)} is no event type`,
      }),
    )
    .min(1, "A rule needs at least one event type"),
  /** Without a condition the rule always applies. */
  when: z.union([z.string(), z.boolean()]).optional(),
  decide: z.string(),
  /** Told to whoever asked, where the decision has room for it, and kept in the log. */
  reason: z.string().min(1).optional(),
  /** What `modify` changes: a merge patch (RFC 7396) on the payload. */
  patch: z.record(z.string(), z.unknown()).optional(),
});
export type RuleText = z.infer<typeof RuleText>;

/** What is answered to a generic question that no rule decides. */
const GENERIC_DEFAULTS = ["allow", "block", "escalate"] as const;
export type GenericDefault = (typeof GENERIC_DEFAULTS)[number];

export const RuleFile = z.strictObject({
  defaults: z.strictObject({ generic: z.enum(GENERIC_DEFAULTS).optional() }).optional(),
  // Each is read on its own, so that one that is wrong hides no other.
  rules: z.array(z.unknown()),
});
