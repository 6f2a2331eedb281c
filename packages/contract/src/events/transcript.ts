import { z } from "zod";
import { fact, json, text } from "./fields.ts";

const ENTRY_ROLES = ["user", "assistant", "system"] as const;
const ENTRY_STATUSES = ["streaming", "complete", "canceled", "error"] as const;

export const TranscriptEntry = z.strictObject({
  message_id: text,
  turn_id: text,
  role: z.enum(ENTRY_ROLES),
  type: text,
  content: text,
  status: z.enum(ENTRY_STATUSES),
  details: json.optional(),
  started_at: text.optional(),
  completed_at: text.optional(),
});
export type TranscriptEntry = z.infer<typeof TranscriptEntry>;

export const TRANSCRIPT_EVENTS = {
  "runtime.transcript.upserted": fact({
    tier: "debug",
    faces: { frontend: null, runtime: null },
    doc: "A supplemental line of the transcript was put in or replaced, by its `message_id`.",
    fields: { entry: TranscriptEntry },
  }),
};
