import { z } from "zod";

/**
 * The convention between the suite and a scripted harness: an event's metadata says, under
 * `conformance`, what the handler shall do, and a query tells afterwards what was heard.
 * A foreign harness that follows it can be asked every requirement.
 */
export const Script = z.object({
  /** Files the event under this name. */
  tag: z.string(),
  /** Answer with this. */
  answer: z.unknown().optional(),
  /** Fail with this message. */
  fail: z.string().optional(),
  /** Wait so long before answering. */
  hold_ms: z.int().min(0).optional(),
});
export type Script = z.infer<typeof Script>;

/** Query types of a scripted harness; the payload is `{ tag }`. */
export const HEARD = "conformance.heard";

/** One event as the handler saw it. */
export const Heard = z.object({
  event_type: z.string(),
  delivery: z.enum(["request", "notification", "batch"]),
  session_id: z.string(),
  agent_id: z.string(),
  depth: z.number(),
  payload: z.unknown(),
  context: z.unknown().optional(),
  metadata: z.unknown().optional(),
});
export type Heard = z.infer<typeof Heard>;

export function scripted(script: Script): { metadata: { conformance: Script } } {
  return { metadata: { conformance: script } };
}
