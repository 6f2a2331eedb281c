import type { NewEvent, SessionStatus } from "@fairlead/contract";

/** What of background work a person sees at a glance. A branch begins with a `resume_seed` beside these. */
export type CheckpointType =
  | "queued"
  | "step"
  | "approval"
  | "paused"
  | "resumed"
  | "recovering"
  | "expired"
  | "completed"
  | "needs_review"
  | "failed"
  | "cancelled";

export interface NewCheckpoint {
  readonly session_id: string;
  /** The last one's, or 0. */
  readonly after: number;
  readonly type: CheckpointType;
  readonly status: SessionStatus;
  readonly summary: string;
  readonly details?: Readonly<Record<string, unknown>>;
}

/** The place itself is the event: its cursor is made from where it stands, so none is said here. */
export function checkpointEvent(checkpoint: NewCheckpoint): NewEvent<"runtime.session.checkpoint"> {
  const { session_id, after, type, status, summary, details } = checkpoint;
  return {
    type: "runtime.session.checkpoint",
    data: {
      session_id,
      sequence: after + 1,
      checkpoint_type: type,
      status,
      summary_text: summary,
      resume_cursor: null,
      ...(details === undefined ? {} : { details }),
    },
  };
}
