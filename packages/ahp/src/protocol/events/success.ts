import { z } from "zod";

import { Count } from "../fields.ts";

export const SuccessPayload = z.object({
  session_id: z.string(),
  action_type: z.string(),
  action_summary: z.string(),
  duration_ms: Count,
});
export type SuccessPayload = z.infer<typeof SuccessPayload>;
