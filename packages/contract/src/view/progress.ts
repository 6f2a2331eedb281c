import { type Draft, find, type Handlers, replace, hush, notice, quiet, raw, settle } from "./draft.ts";
import type { NoticeEntry } from "./entries.ts";
import { failed, failureInWords, isTold, nextAfter, triedAgain } from "./failure.ts";
import { isAccepted } from "./words/checks.ts";
import { isStepTold, stepProgress } from "./steps.ts";
import { NEEDS_REVIEW } from "./states.ts";
import { abandon } from "./tools.ts";

type Names = "session_checkpoint" | "step_progress";
type Said = Pick<NoticeEntry, "title"> & Partial<Pick<NoticeEntry, "tone" | "next" | "slim">>;

/** What each checkpoint is called. One of a newer writer is called by its type. */
const CHECKPOINTS: Readonly<Record<string, Said>> = {
  resume_seed: { title: "Branched from here" },
  queued: { title: "Queued", slim: true },
  approval: { title: "Waits for a decision", slim: true },
  paused: { title: "Paused", slim: true },
  resumed: { title: "Resumed", slim: true },
  completed: { title: "Completed", tone: "good", slim: true },
  step: { title: "Checkpoint: step", slim: true },
  needs_review: { ...NEEDS_REVIEW, tone: "warning" },
  cancelled: { title: "Cancelled", slim: true },
};

const ACCEPTED: Said = { title: "Accepted", tone: "good", slim: true };

export const PROGRESS: Pick<Handlers, Names> = {
  session_checkpoint(draft, { checkpoint_type: type, status, summary_text: text, details }, frame) {
    if (type === "resume_seed") begins(draft);
    if (type !== "step") reviewed(draft);
    if (type === "needs_review") draft.review = frame.id;
    // Why it waits is said already.
    if (type === "paused" && draft.held !== null) return raw(draft, frame.payload, frame);
    draft.checkpoint = status;
    const accepted = type === "completed" && isAccepted(text);
    const said = accepted ? ACCEPTED : (CHECKPOINTS[type] ?? { title: `Checkpoint: ${worded(type)}` });
    const row = { notice: "checkpoint", ...said, text: tellingOf(type, text) } as const;
    if (type === "recovering") return triedAgain(draft, frame, details);
    if (type === "failed" || type === "expired") {
      if (isTold(draft, text)) return notice(draft, quiet(frame), row);
      const title = type === "expired" ? failureInWords(type) : "The session failed";
      return failed(draft, frame, { title, text, next: nextAfter(type) });
    }
    notice(draft, type === "step" && isStepTold(draft, status) ? quiet(frame) : frame, row);
  },
  step_progress: stepProgress,
};

const worded = (name: string): string => name.replaceAll("_", " ");

/** Nothing of before is open in a branch. */
function begins(draft: Draft): void {
  settle(draft);
  abandon(draft);
  hush(draft, draft.pausing);
  hush(draft, draft.step);
  draft.waitingBelow.clear();
  Object.assign(draft, {
    step: null,
    turn: null,
    failure: null,
    waiting: null,
    tried: null,
    pausing: null,
    held: null,
  });
}

/** Whatever a person did about it: nothing is left to do there. */
function reviewed(draft: Draft): void {
  const row = draft.review === null ? undefined : find(draft, "notice", draft.review);
  draft.review = null;
  if (row === undefined) return;
  const { next: _, ...rest } = row;
  replace(draft, { ...rest, tone: "calm" });
}

/** What a checkpoint says that the rows around it do not: the task stands right below, and no reason is none. */
function tellingOf(type: string, text: string): string {
  if (type === "queued") return text.split(": ", 1)[0] ?? "";
  return text.replace(/: no reason given$/, "");
}
