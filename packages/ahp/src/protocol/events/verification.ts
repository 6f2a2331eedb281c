import { z } from "zod";

import { Artifact, Evidence } from "../evidence.ts";
import { Metadata, Texts, unset } from "../fields.ts";

export const VerificationStatus = z.enum([
  "pending",
  "running",
  "passed",
  "failed",
  "skipped",
  "needs_review",
]);
export type VerificationStatus = z.infer<typeof VerificationStatus>;

export const VerificationCheck = z.object({
  id: z.string(),
  subject: z.string(),
  status: VerificationStatus,
  command: unset(z.string()),
  message: unset(z.string()),
  evidence: unset(z.array(Evidence)),
  artifacts: unset(z.array(Artifact)),
  metadata: unset(Metadata),
});
export type VerificationCheck = z.infer<typeof VerificationCheck>;

export const VerificationPayload = z.object({
  run_id: z.string(),
  session_id: z.string(),
  status: VerificationStatus,
  checks: unset(z.array(VerificationCheck)),
  residual_risks: unset(Texts),
  updated_at: z.string(),
  metadata: unset(Metadata),
});
export type VerificationPayload = z.infer<typeof VerificationPayload>;
