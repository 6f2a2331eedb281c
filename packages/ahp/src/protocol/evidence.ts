import { z } from "zod";

import { Count, Metadata, unset } from "./fields.ts";

export const Artifact = z.object({
  id: z.string(),
  kind: unset(z.string()),
  uri: unset(z.string()),
  path: unset(z.string()),
  mime_type: unset(z.string()),
  sha256: unset(z.string()),
  size_bytes: unset(Count),
  summary: unset(z.string()),
});
export type Artifact = z.infer<typeof Artifact>;

/** Why a claim should be believed; the artifact, when given, is where to look. */
export const Evidence = z.object({
  kind: z.string(),
  summary: z.string(),
  artifact: unset(Artifact),
  metadata: unset(Metadata),
});
export type Evidence = z.infer<typeof Evidence>;
