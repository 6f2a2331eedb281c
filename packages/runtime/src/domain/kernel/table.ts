import type { SessionStatus } from "@fairlead/contract";
import type { Refusal } from "../../ports/event-log.ts";

/** What a background session can be. `idle` is a chat's: background work is queued, under way, waiting or over. */
export type KernelState = Exclude<SessionStatus, "idle">;

/** What can happen to it. */
export type KernelEvent =
  /** A process takes it up, or takes it over from one that is gone. */
  | "run"
  /** It waits for a person. */
  | "ask"
  /** It waits for a time, or for another process. */
  | "defer"
  /** It waits for what it delegated: that is its own work too. */
  | "delegate"
  /** An operator wants it to wait. A process that drives it goes on to its next boundary first. */
  | "pause"
  /** That boundary is reached. */
  | "hold"
  /** An operator wants it to go on. */
  | "resume"
  /** An operator wants it to be tried now, though it waits for a time, or what it delegated does. */
  | "hasten"
  /** It failed in a way that another attempt may mend, and may have one. */
  | "retry"
  | "fail"
  | "complete"
  /** It is done, and a person should look at it. */
  | "review"
  /** A person has looked at it, and says that it is good as it is. */
  | "accept"
  | "cancel"
  /** Its time is over. */
  | "expire";

/** Why it cannot: it has ended, or it is not in a state in which this could happen. */
export type KernelRefusal = "session_ended" | "session_state";
export type KernelOutcome = { readonly to: KernelState } | { readonly refused: KernelRefusal };

const to = (state: KernelState): KernelOutcome => ({ to: state });
const ended: KernelOutcome = { refused: "session_ended" };
const unfit: KernelOutcome = { refused: "session_state" };

/** What only a process that drives the session does, and what is said of its end. */
const UNDRIVEN = {
  ask: unfit,
  defer: unfit,
  delegate: unfit,
  hold: unfit,
  hasten: unfit,
  retry: unfit,
  fail: unfit,
  complete: unfit,
  review: unfit,
  accept: unfit,
} as const;
/** It can go on, and whoever tried could not even write that down: it must not be left with nothing to wait for. */
const NOT_TAKEN_UP = { retry: to("recovering"), fail: to("failed") } as const;
const OVER: Record<KernelEvent, KernelOutcome> = {
  run: ended,
  ask: ended,
  defer: ended,
  delegate: ended,
  pause: ended,
  hold: ended,
  resume: ended,
  hasten: ended,
  retry: ended,
  fail: ended,
  complete: ended,
  review: ended,
  accept: ended,
  cancel: ended,
  expire: ended,
};

/** Every state and everything that can happen: one place that says what a background session does. */
export const KERNEL_TABLE: Record<KernelState, Record<KernelEvent, KernelOutcome>> = {
  queued: {
    ...UNDRIVEN,
    ...NOT_TAKEN_UP,
    run: to("running"),
    pause: to("paused"),
    hold: to("paused"),
    resume: unfit,
    hasten: to("queued"),
    cancel: to("cancelled"),
    expire: to("failed"),
  },
  running: {
    run: to("running"),
    ask: to("awaiting_approval"),
    defer: to("queued"),
    delegate: to("running"),
    pause: to("running"),
    hold: to("paused"),
    resume: unfit,
    hasten: to("running"),
    retry: to("recovering"),
    fail: to("failed"),
    complete: to("completed"),
    review: to("needs_review"),
    accept: unfit,
    cancel: to("cancelled"),
    expire: to("failed"),
  },
  awaiting_approval: {
    ...UNDRIVEN,
    // Also what a turn that waits is ended by: the question is withdrawn, and the end stands.
    ...NOT_TAKEN_UP,
    run: to("running"),
    pause: to("paused"),
    hold: to("paused"),
    resume: unfit,
    cancel: to("cancelled"),
    expire: to("failed"),
  },
  paused: {
    ...UNDRIVEN,
    run: unfit,
    pause: to("paused"),
    // Gone on with, while a question of before is still open.
    ask: to("awaiting_approval"),
    // Gone on with, and what it delegated goes on with it.
    delegate: to("running"),
    resume: to("queued"),
    cancel: to("cancelled"),
    expire: to("failed"),
  },
  recovering: {
    ...UNDRIVEN,
    ...NOT_TAKEN_UP,
    run: to("running"),
    pause: to("paused"),
    hold: to("paused"),
    // Now, and not when its time comes.
    resume: to("queued"),
    cancel: to("cancelled"),
    expire: to("failed"),
  },
  completed: OVER,
  // Final but for a person's word: who has looked at it, or mended what it failed on, lets it go on.
  needs_review: { ...OVER, resume: to("queued"), accept: to("completed"), cancel: to("cancelled") },
  failed: { ...OVER, resume: to("queued") },
  cancelled: { ...OVER, cancel: to("cancelled") },
};

/** States in which nothing more happens by itself. */
export const ENDED: ReadonlySet<SessionStatus> = new Set([
  "completed",
  "needs_review",
  "failed",
  "cancelled",
] satisfies KernelState[]);

function isKernelState(status: SessionStatus): status is KernelState {
  return status !== "idle";
}

/** The state after the event, or why there is none. */
export function kernelNext(
  state: SessionStatus,
  event: KernelEvent,
): { readonly ok: true; readonly state: KernelState } | { readonly ok: false; readonly refusal: Refusal } {
  const outcome = isKernelState(state) ? KERNEL_TABLE[state][event] : unfit;
  if ("to" in outcome) return { ok: true, state: outcome.to };
  return { ok: false, refusal: refusalOf(outcome.refused, state, event) };
}

function refusalOf(code: KernelRefusal, status: SessionStatus, event: KernelEvent): Refusal {
  return {
    code,
    message:
      code === "session_ended"
        ? `The session has ended: it is ${status}.`
        : `A session that is ${status} does not take \`${event}\`.`,
    details: { status, event },
  };
}
