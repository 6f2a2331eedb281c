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
      /** Daily budgets that it was put aside from too: the streams of those accounts. */
      accounts: z.array(text).optional(),
      day: text.optional(),
    },
  }),
  "runtime.budget.held": fact({
    tier: "debug",
    faces: { frontend: null, runtime: null },
    doc: "Of what an account may use in a day, so much is put aside for one model call. On the account's own stream, under a guard: two calls never take the same.",
    fields: { account: text, day: text, hold_id: text, ...amounts },
  }),
  "runtime.budget.spent": fact({
    tier: "debug",
    faces: { frontend: null, runtime: null },
    doc: "What that call has used in the place of what was put aside. In one commit with the `usage` of its session.",
    fields: { account: text, day: text, hold_id: text, ...amounts },
  }),
};
