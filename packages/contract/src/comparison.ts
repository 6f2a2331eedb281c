import { z } from "zod";
import { ChangedFile } from "./artifacts.ts";
import { SESSION_STATUSES } from "./events/session.ts";

const count = z.int().min(0);

const ComparedTurn = z.object({
  turn_id: z.string(),
  /** What was asked, on one line; empty where both share that, and only its end is each one's own. */
  input: z.string(),
  /** `open` where it has not ended. */
  outcome: z.enum(["completed", "failed", "cancelled", "open"]),
  /** What came of it, on one line: the answer, or why not. */
  result: z.string().nullable(),
});

/** What one session did since the place that both share. */
export const ComparedSide = z.object({
  session_id: z.string(),
  title: z.string().nullable(),
  status: z.enum(SESSION_STATUSES),
  model: z.string().nullable(),
  /** How it works, as it is now. */
  permission_mode: z.string().nullable(),
  approval_mode: z.string().nullable(),
  instructions: z.string().nullable(),
  head_seq: count,
  events: count,
  /** By type, as the log names them. */
  event_types: z.record(z.string(), count),
  turns: z.array(ComparedTurn),
  /** Calls of each tool, by how they ended. */
  tools: z.record(z.string(), z.record(z.string(), count)),
  questions: z.object({ asked: count, approved: count, denied: count }),
  total_tokens: count,
  /** Where prices are known. */
  cost_usd: z.number().min(0),
  /** Whether the price of any of it is known: 0 dollars is a price too. */
  priced: z.boolean(),
  /** What it changed in its workspace since then; null where nothing is known of that. */
  files: z.array(ChangedFile).nullable(),
  /** Only the first so many events were looked at. */
  truncated: z.boolean(),
});
export type ComparedSide = z.infer<typeof ComparedSide>;

/** Two sessions, and where they part. */
export const SessionComparison = z.object({
  /** The last event that both have; null where they share none. */
  ancestor: z
    .object({
      session_id: z.string(),
      seq: count,
      event_id: z.string().nullable(),
      type: z.string().nullable(),
    })
    .nullable(),
  a: ComparedSide,
  b: ComparedSide,
  /** What leads from the files of the first to those of the second; null where they cannot be compared. */
  files: z.object({ changed: z.array(ChangedFile), diff: z.string(), truncated: z.boolean() }).nullable(),
  /** Why there are none, in a sentence. */
  files_note: z.string().nullable(),
});
export type SessionComparison = z.infer<typeof SessionComparison>;
