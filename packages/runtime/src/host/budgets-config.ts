import { z } from "zod";

const limit = z
  .strictObject({ tokens: z.int().min(0).optional(), cost_usd: z.number().min(0).optional() })
  .refine(
    ({ tokens, cost_usd }) => tokens !== undefined || cost_usd !== undefined,
    "Give `tokens` or `cost_usd`.",
  );

/** Daily limits: by the name of a project, by that of the actor that tokens speak for, and by the id of one token. */
export const BudgetsConfig = z.strictObject({
  projects: z.record(z.string().min(1), limit).optional(),
  actors: z.record(z.string().min(1), limit).optional(),
  tokens: z.record(z.string().regex(/^tok_[0-9a-z]+$/, "Not the id of a token: `tok_…`."), limit).optional(),
});
