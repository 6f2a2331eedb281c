import { z } from "zod";
import { count, fact, text } from "./fields.ts";

const amounts = { tokens: count, cost_usd: z.number().min(0).optional() };

export const BUDGET_EVENTS = {
  "runtime.budget.reserved": fact({
    tier: "debug",
    faces: { frontend: null, runtime: null },
    doc: "The most that one model call may use, put aside before it is made, where something limits the session. The `usage` after it settles it; for a call that was lost with its process, all of it counts as used.",
    fields: {
      turn_id: text,
      step: count,
      attempt: count,
      ...amounts,
      /** Days of budgets that it was put aside from too. */
      days: z.array(text).optional(),
    },
  }),
};
