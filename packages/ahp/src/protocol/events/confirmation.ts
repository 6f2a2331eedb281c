import { z } from "zod";

import { Texts, unset } from "../fields.ts";

export const ConfirmationType = z.union([
  z.enum(["safety_confirm", "user_confirm", "cost_confirm"]),
  z.object({ custom: z.string() }),
]);
export type ConfirmationType = z.infer<typeof ConfirmationType>;

export const ConfirmationPayload = z.object({
  session_id: z.string(),
  confirmation_type: ConfirmationType,
  message: z.string(),
  options: unset(Texts),
});
export type ConfirmationPayload = z.infer<typeof ConfirmationPayload>;

export const ConfirmationDecision = z.discriminatedUnion("decision", [
  z.object({ decision: z.literal("approve") }),
  z.object({ decision: z.literal("reject"), reason: z.string() }),
  z.object({ decision: z.literal("escalate") }),
]);
export type ConfirmationDecision = z.infer<typeof ConfirmationDecision>;
