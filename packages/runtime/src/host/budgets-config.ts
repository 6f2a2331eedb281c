import { z } from "zod";

const limit = z
  .strictObject({ tokens: z.int().min(0).optional(), cost_usd: z.number().min(0).optional() })
  .refine(
    ({ tokens, cost_usd }) => tokens !== undefined || cost_usd !== undefined,
    "Give `tokens` or `cost_usd`.",
  );

/** Daily limits, by the name of a project, and of the actor that a token speaks for. */
export const BudgetsConfig = z.strictObject({
  projects: z.record(z.string().min(1), limit).optional(),
  actors: z.record(z.string().min(1), limit).optional(),
});
