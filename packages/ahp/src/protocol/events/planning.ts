import { z } from "zod";

import { Metadata, Texts, unset } from "../fields.ts";

export const PlanningStrategy = z.union([
  z.enum(["none", "step_by_step", "tree_of_thoughts", "graph_planning"]),
  z.object({ custom: z.string() }),
]);
export type PlanningStrategy = z.infer<typeof PlanningStrategy>;

export const PlanningPayload = z.object({
  session_id: z.string(),
  task_description: z.string(),
  available_strategies: z.array(PlanningStrategy),
  constraints: unset(z.unknown()),
});
export type PlanningPayload = z.infer<typeof PlanningPayload>;

export const PlanningDecision = z.discriminatedUnion("decision", [
  z.object({
    decision: z.literal("allow"),
    selected_strategy: PlanningStrategy,
    planning_template: unset(z.unknown()),
    metadata: unset(Metadata),
  }),
  z.object({ decision: z.literal("block"), reason: z.string(), metadata: unset(Metadata) }),
  z.object({ decision: z.literal("modify"), modified_task: z.string(), hints: unset(Texts) }),
]);
export type PlanningDecision = z.infer<typeof PlanningDecision>;
