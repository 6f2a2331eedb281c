import type { NewEvent, SessionState, Wait } from "@fairlead/contract";
import type { LoopState } from "../loop/state.ts";
import { BACKGROUND, MAX_RETRIES, isBackground } from "./background.ts";
import { type CheckpointType, checkpointEvent } from "./checkpoint.ts";
import { canWait } from "./next.ts";
import type { KernelState } from "./table.ts";

export interface Bounds {
  readonly max_retries?: number;
  readonly expires_at?: string | null;
  readonly metadata?: Readonly<Record<string, unknown>>;
  readonly policy?: object;
}

/** Every field that seed 000 has for background work: null where it is not known yet. */
export function queuedState(
  { attempts_before: _, ...base }: SessionState,
  engine: string,
  runner_kind: string,
  at: string,
): SessionState {
  return {
    approval_request_id: null,
    workspace_id: null,
    task_graph_id: null,
    parent_session_id: null,
    branch_source_event_id: null,
    branch_resume_cursor: null,
    max_retries: MAX_RETRIES,
    expires_at: null,
    metadata: {},
    ...base,
    kind: BACKGROUND,
    status: "queued",
    engine,
    runner_kind,
    process_id: null,
    attempt_count: 0,
    last_heartbeat_at: null,
    last_error: null,
    updated_at: at,
    ended_at: null,
    resume_context: null,
  };
}

/** As the row and the log keep them. */
export function boundsOf({ policy, metadata, ...rest }: Bounds, before: SessionState["metadata"]) {
  const { policy: kept, ...noted } = before ?? {};
  const held = policy ?? kept;
  const changed = policy !== undefined || metadata !== undefined;
  return {
    ...(rest.max_retries === undefined ? {} : { max_retries: rest.max_retries }),
    ...(rest.expires_at === undefined ? {} : { expires_at: rest.expires_at }),
    ...(changed
      ? { metadata: { ...(metadata ?? noted), ...(held === undefined ? {} : { policy: held }) } }
      : {}),
  };
}

export interface Moved {
  readonly state: SessionState;
  readonly to: KernelState;
  readonly at: string;
  /** The last checkpoint's number. */
  readonly after: number;
  readonly type: CheckpointType;
  readonly summary: string;
  readonly changes?: Partial<SessionState>;
}

/** What is said of a session that nobody drives when its state changes. */
export function movedEvents({ state, to, at, after, type, summary, changes }: Moved): NewEvent[] {
  return [
    checkpointEvent({ session_id: state.session_id, after, type, status: to, summary }),
    { type: "runtime.session.state", data: { ...state, status: to, updated_at: at, ...changes } },
  ];
}

/** It waits from here on: somebody wanted it to, and nobody drives it. */
export function holdEvents({ settings, paused, checkpoints }: LoopState, at: string): NewEvent[] {
  if (settings === null || paused === null) return [];
  const { actor, reason } = paused;
  const resume_context = { kind: "paused", actor, reason };
  if (!isBackground(settings)) return [stateEvent(settings, { status: "paused", resume_context })];
  return movedEvents({
    state: settings,
    to: "paused",
    at,
    after: checkpoints,
    type: "paused",
    summary: `Paused by ${actor}: ${reason}`,
    changes: { resume_context },
  });
}

/** A wish to pause was taken back in the moment in which it was heeded: it waits for nobody's word any more. */
export function releaseEvents(state: LoopState, at: string): NewEvent[] {
  const { settings, paused, checkpoints, turn } = state;
  if (settings?.status !== "paused" || paused !== null || !canWait(state)) return [];
  const { status, resume_context } = releasedAs(turn?.waits ?? []);
  if (!isBackground(settings)) return [stateEvent(settings, { status, resume_context })];
  return movedEvents({
    state: settings,
    to: status,
    at,
    after: checkpoints,
    type: "resumed",
    summary: "The pause was taken back.",
    changes: { resume_context },
  });
}

/** What it still waits for: a person, what it delegated, or somebody who takes it up. */
function releasedAs(waits: readonly Wait[]): {
  readonly status: "awaiting_approval" | "running" | "queued";
  readonly resume_context: SessionState["resume_context"];
} {
  if (waits.some(({ kind }) => kind === "question"))
    return { status: "awaiting_approval", resume_context: null };
  const session_ids = waits.flatMap((wait) => (wait.kind === "session" ? [wait.session_id] : []));
  if (session_ids.length === 0) return { status: "queued", resume_context: null };
  return { status: "running", resume_context: { kind: "delegated", session_ids } };
}

/** A sub-agent has no checkpoints: its state is all that is said. */
function stateEvent(state: SessionState, changes: Partial<SessionState>): NewEvent {
  return { type: "runtime.session.state", data: { ...state, ...changes } };
}

const EXPIRED = "The session's time was over before it went on.";

/** Its time is over, and no turn is open that would say so. */
export function expiredEvents({ settings, checkpoints }: LoopState, at: string): NewEvent[] {
  if (settings === null) return [];
  return movedEvents({
    state: settings,
    to: "failed",
    at,
    after: checkpoints,
    type: "expired",
    summary: `${EXPIRED} (expires_at ${settings.expires_at})`,
    changes: { last_error: EXPIRED, ended_at: at, process_id: null, resume_context: null },
  });
}
