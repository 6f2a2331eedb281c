import { z } from "zod";
import { Channel } from "./channel/channel.ts";
import { artifact } from "./events/artifact.ts";
import { ResumePoint } from "./resume-points.ts";
import { HealthyRow, SessionRow } from "./rows.ts";

const seq = z.int().min(1);

/** Delegated work, as the last event about it left it. */
export const SubagentRow = z.object({
  agent_id: z.string(),
  status: z.string(),
  parent_session_id: z.string(),
  /** Where it works, once it has a session of its own. */
  session_id: z.string().nullable(),
  task: z.string().nullable(),
  reason: z.string().nullable(),
  tool_call_id: z.string().nullable(),
  /** Below the session at the top; null where nobody said. */
  depth: z.int().nullable(),
  /** Open questions of it, to decide by id. */
  questions: z.array(z.string()),
  /** What it said at its end, in short, and what it used. */
  summary: z.string().nullable(),
  tokens: z.int().nullable(),
  cost_usd: z.number().nullable(),
  details: z.looseObject({}).nullable(),
  started_at: z.string(),
  updated_at: z.string(),
  /** The last event about it. */
  event_id: z.string(),
  seq,
});
export type SubagentRow = z.infer<typeof SubagentRow>;

/** What work left behind. Its content is in the event, or by its `sha256` among the blobs of the session. */
export const ArtifactRow = z.object({
  artifact_id: z.string(),
  session_id: z.string(),
  turn_id: z.string().nullable(),
  kind: z.string().nullable(),
  artifact,
  /** How a text begins. Rows from before this was kept lack both. */
  preview: z.string().nullable().optional(),
  /** Where the whole is read; null where it has no content. */
  content_path: z.string().nullable().optional(),
  created_at: z.string(),
  event_id: z.string(),
  seq,
});
export type ArtifactRow = z.infer<typeof ArtifactRow>;

export const CheckpointRow = z.object({
  session_id: z.string(),
  sequence: z.int(),
  checkpoint_type: z.string(),
  status: z.string(),
  summary_text: z.string(),
  resume_cursor: z.string().nullable(),
  details: z.looseObject({}).optional(),
  event_id: z.string(),
  seq,
  at: z.string(),
});
export type CheckpointRow = z.infer<typeof CheckpointRow>;

/** The row, and what a person needs to see where a chat stands and to go on from elsewhere in it. */
export const ChatSessionDetail = SessionRow.extend({
  /** In the order of the session. */
  resume_points: z.array(ResumePoint),
  /** The last changed first. */
  subagents: z.array(SubagentRow),
  /** Newest first. */
  background_artifacts: z.array(ArtifactRow),
  channel: Channel,
});
export type ChatSessionDetail = z.infer<typeof ChatSessionDetail>;

export const SessionDetail = HealthyRow.extend({
  /** Newest first. */
  checkpoints: z.array(CheckpointRow),
  /** Newest first. */
  artifacts: z.array(ArtifactRow),
  channel: Channel,
});
export type SessionDetail = z.infer<typeof SessionDetail>;
