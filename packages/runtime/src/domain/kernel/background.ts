import type { SessionPolicy, SessionState, TurnFailure } from "@fairlead/contract";
import { ENDED } from "./table.ts";

export const BACKGROUND = "background";

/** The engine that is our own loop. */
export const NATIVE = "native";

/** How often what may pass is tried again, where nobody chose. */
export const MAX_RETRIES = 3;

type Known = SessionState | null;

export function isBackground(state: Known): state is SessionState {
  return state?.kind === BACKGROUND;
}

export function hasEnded(state: Known): boolean {
  return state !== null && ENDED.has(state.status);
}

/** Its time is over, and it is neither: one that waits for an operator waits on, until somebody wants it to go on. */
export function isExpired(state: Known, now: number): boolean {
  if (!isBackground(state) || hasEnded(state) || state.status === "paused") return false;
  return expiresAt(state) <= now;
}

/** In milliseconds; never, when nobody said so. */
export function expiresAt({ expires_at }: Pick<SessionState, "expires_at">): number {
  const at = Date.parse(expires_at ?? "");
  return Number.isNaN(at) ? Infinity : at;
}

/** What another attempt may mend. Total: of a new failure somebody has to say what it is. */
const MAY_PASS: Record<TurnFailure, boolean> = {
  model_error: true,
  model_invalid: true,
  model_timeout: true,
  model_truncated: true,
  model_empty: true,
  model_limited: true,
  internal: true,
  // So many processes were lost over it that it may be what kills them.
  interrupted: false,
  stalled: false,
  output_limit: false,
  model_refused: false,
  step_limit: false,
  repair_limit: false,
  blocked: false,
  hook_blocked: false,
  budget: false,
  workspace: false,
  expired: false,
};

export function mayPass(code: TurnFailure): boolean {
  return MAY_PASS[code];
}

/** Whether one more attempt may be made: seed 000's rule, counted from an operator's last word. */
export function mayRetry(state: SessionState): boolean {
  return attemptsSince(state) <= (state.max_retries ?? 0);
}

/** The attempts since somebody let it go on, or since it began. */
export function attemptsSince({ attempt_count = 0, attempts_before = 0 }: SessionState): number {
  return attempt_count - attempts_before;
}

/**
 * An operator lets it go on: retries count anew, and all attempts stay counted. What goes on with its run keeps that one.
 * Who only wants it to be tried now, and not later, gives it nothing.
 */
export function resumedAttempts(state: SessionState, goesOn: boolean): Pick<SessionState, "attempts_before"> {
  const { attempt_count = 0, resume_context, status } = state;
  if (status === "recovering" || status === "queued" || status === "running") return {};
  const current = goesOn && resume_context?.["kind"] !== "retry" ? 1 : 0;
  return { attempts_before: Math.max(0, attempt_count - current) };
}

const FIRST_PAUSE_MS = 2_000;
const LONGEST_PAUSE_MS = 5 * 60_000;

/** How long to wait after the attempt of this number: twice as long each time. */
export function backOffMs(attempt: number): number {
  return Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(20, Math.max(0, attempt - 1)));
}

/** Kept in the metadata, as seed 000 says. */
export function policyOf({ metadata }: Pick<SessionState, "metadata">): SessionPolicy {
  return (metadata?.["policy"] ?? {}) as SessionPolicy;
}
