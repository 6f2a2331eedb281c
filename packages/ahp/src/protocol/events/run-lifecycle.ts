import { z } from "zod";

import { Metadata, unset } from "../fields.ts";

export const RunStatus = z.enum([
  "created",
  "planning",
  "executing",
  "verifying",
  "completed",
  "failed",
  "cancelled",
]);
export type RunStatus = z.infer<typeof RunStatus>;

export const RunLifecyclePayload = z.object({
  run_id: z.string(),
  session_id: z.string(),
  status: RunStatus,
  prompt: unset(z.string()),
  result_summary: unset(z.string()),
  error: unset(z.string()),
  started_at: unset(z.string()),
  updated_at: z.string(),
  metadata: unset(Metadata),
});
export type RunLifecyclePayload = z.infer<typeof RunLifecyclePayload>;
