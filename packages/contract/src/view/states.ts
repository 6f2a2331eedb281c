import { isPausing } from "../events/kernel.ts";
import { aside, type Draft, type Handlers, hush, loud, notice, raw } from "./draft.ts";
import { letGo } from "./enforced.ts";
import { failed, goesOn, isTold, nextAfter, triedAgain } from "./failure.ts";
import { stepStands } from "./steps.ts";

type Names = "session_state" | "session_pausing" | "session_resuming";

/** What the session is said to be. The head shows it always; a row says what nothing else does. */
export const STATES: Pick<Handlers, Names> = {
  session_state(draft, state, frame) {
    const { status } = state;
    const { status: before, checkpoint } = draft;
    draft.status = status;
    draft.checkpoint = null;
    if (status === "queued" || status === "running") {
      letGo(draft);
      goesOn(draft);
    }
    if (!isPausing(status)) over(draft);
    stepStands(draft, status);
    const cause = state.last_error ?? null;
    if (status === "failed") {
      if (isTold(draft, cause)) return raw(draft, state, frame);
      return failed(draft, frame, { title: "The session failed", text: cause ?? "", next: nextAfter("") });
    }
    // Said again, or with the checkpoint before it.
    if (status === before || status === checkpoint) return raw(draft, state, frame);
    if (status === "recovering") {
      if (draft.waiting !== null) return raw(draft, state, frame);
      return triedAgain(draft, frame, { error: cause, ...state.resume_context });
    }
    // Why it waits is said already.
    if (status === "paused" && draft.held === null)
      return notice(draft, frame, { notice: "state", title: "Paused", text: pausedBy(state.resume_context) });
    if (status === "needs_review")
      return notice(draft, frame, { notice: "state", tone: "warning", ...NEEDS_REVIEW, text: cause ?? "" });
    raw(draft, state, frame);
  },
  session_pausing(draft, { actor, reason }, frame) {
    const waits = draft.status !== null && !isPausing(draft.status);
    if (draft.held !== null || draft.pausing !== null || waits) return raw(draft, frame.payload, frame);
    draft.pausing = frame.id;
    const text = `${actor}: ${reason}`;
    aside(draft, loud(frame), { notice: "state", title: "Pausing after this step", text });
  },
  session_resuming(draft, payload, frame) {
    over(draft);
    raw(draft, payload, frame);
  },
};

/** What a person does about work that was not proven. */
export const NEEDS_REVIEW = {
  title: "Needs review",
  next: "Look at what is not proven. Accept it, resume it with what is missing, or cancel it.",
} as const;

/** It waits, or is not to wait any more: that it was about to is no news. */
function over(draft: Draft): void {
  hush(draft, draft.pausing);
  draft.pausing = null;
}

function pausedBy(context: unknown): string {
  const said = (context ?? {}) as Readonly<Record<string, unknown>>;
  const by = said["actor"] ?? said["paused_by"];
  const reason = said["reason"] ?? said["paused_reason"];
  return [by, reason].filter((part) => typeof part === "string").join(": ");
}
