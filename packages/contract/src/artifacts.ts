import { z } from "zod";

/** Kinds of artifacts that the runtime makes itself. Others come from tools and agents. */
export const ARTIFACT_KINDS = [
  "task_graph",
  "workspace",
  "workspace_snapshot",
  "workspace_change",
  "agentic_run",
  "final_output",
  "tool_result",
] as const;
export type ArtifactKind = (typeof ARTIFACT_KINDS)[number];

const text = z.string();

/** The place of its own that a session writes in. */
export const WorkspaceArtifact = z.looseObject({
  id: text,
  kind: z.literal("workspace"),
  workspace_id: text,
  /** Which machine has its files. */
  host: text.optional(),
  path: text,
  method: z.enum(["worktree", "clone", "copy"]),
  source: text,
  /** The snapshot that all changes are counted from. */
  base: text,
  summary: text,
  notes: z.array(text),
});
export type WorkspaceArtifact = z.infer<typeof WorkspaceArtifact>;

/** The files as they were at this place in the log. The newest takes the place of the one before in lists. */
export const SnapshotArtifact = z.looseObject({
  id: text,
  kind: z.literal("workspace_snapshot"),
  workspace_id: text,
  ref: text,
  base: text,
  summary: text,
});
export type SnapshotArtifact = z.infer<typeof SnapshotArtifact>;

export const ChangedFile = z.object({
  path: text,
  status: z.enum(["added", "modified", "deleted"]),
  /** Lines; null where the file is not text. */
  added: z.int().nullable(),
  removed: z.int().nullable(),
});

/** What the work came to, offered and never forced: a diff, and a branch where there is a repository. */
export const ChangeArtifact = z.looseObject({
  id: text,
  kind: z.literal("workspace_change"),
  workspace_id: text,
  from: text,
  to: text,
  branch: text.nullable(),
  commit: text.nullable(),
  note: text.nullable(),
  files: z.array(ChangedFile),
  truncated: z.boolean(),
  summary: text,
  mime_type: z.literal("text/x-diff"),
  /** The diff. */
  content: text,
});
export type ChangeArtifact = z.infer<typeof ChangeArtifact>;

/** The tasks of a session and what they wait for. */
export const TaskGraphArtifact = z.looseObject({
  id: text,
  kind: z.literal("task_graph"),
  task_graph_id: text,
  summary: text,
  nodes: z.array(z.object({ id: text, title: text, status: text })),
  /** From, to. */
  edges: z.array(z.tuple([text, text])),
});
export type TaskGraphArtifact = z.infer<typeof TaskGraphArtifact>;
