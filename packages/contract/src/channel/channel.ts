import { z } from "zod";

export const PARTICIPANT_KINDS = ["runtime", "agent", "operator", "tool", "subagent"] as const;

/** One side of the conversation that a session is. */
export const Participant = z.object({
  participant_id: z.string(),
  kind: z.enum(PARTICIPANT_KINDS),
  name: z.string(),
  /** Of the operator: who was seen to act, in the order in which they were. */
  actors: z.array(z.string()).optional(),
});
export type Participant = z.infer<typeof Participant>;

/** One event of the session, with who said it to whom. */
export const Envelope = z.object({
  /** The event's own id and place. */
  event_id: z.string(),
  seq: z.int(),
  at: z.string(),
  sender_id: z.string(),
  recipient_ids: z.array(z.string()),
  /** Its name on seed 000's face. */
  event_type: z.string(),
  summary: z.string(),
  /** As the log has it. */
  payload: z.unknown(),
  /** Parts of the payload that were too large for the log, by JSON Pointer. */
  blobs: z.record(z.string(), z.object({ sha256: z.string(), bytes: z.int() })).optional(),
});
export type Envelope = z.infer<typeof Envelope>;

/** Who takes part in a session, and the last of what was said. The log stays the truth. */
export const Channel = z.object({
  channel_id: z.string(),
  participants: z.array(Participant),
  envelopes: z.array(Envelope),
});
export type Channel = z.infer<typeof Channel>;
