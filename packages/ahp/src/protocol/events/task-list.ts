import { z } from "zod";

import { Artifact, Evidence } from "../evidence.ts";
import { Metadata, Texts, unset } from "../fields.ts";

export const TaskStatus = z.enum(["pending", "in_progress", "completed", "failed", "skipped", "cancelled"]);
export type TaskStatus = z.infer<typeof TaskStatus>;

export const Task = z.object({
  id: z.string(),
  title: z.string(),
  status: TaskStatus,
  depends_on: unset(Texts),
  evidence: unset(z.array(Evidence)),
  artifacts: unset(z.array(Artifact)),
  error: unset(z.string()),
  updated_at: unset(z.string()),
  metadata: unset(Metadata),
});
export type Task = z.infer<typeof Task>;

/** A whole snapshot: it replaces the list before it. */
export const TaskListPayload = z.object({
  run_id: z.string(),
  session_id: z.string(),
  tasks: z.array(Task),
  updated_at: z.string(),
  metadata: unset(Metadata),
});
export type TaskListPayload = z.infer<typeof TaskListPayload>;
