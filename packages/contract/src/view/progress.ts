import { type Draft, type Handlers, hush, notice, quiet, raw, settle } from "./draft.ts";
import type { NoticeEntry } from "./entries.ts";
import { failed, failureInWords, isTold, nextAfter, triedAgain } from "./failure.ts";
import { NEEDS_REVIEW } from "./states.ts";
import { abandon } from "./tools.ts";

type Names = "session_checkpoint" | "step_progress";
type Said = Pick<NoticeEntry, "title"> & Partial<Pick<NoticeEntry, "tone" | "next">>;

/** What each checkpoint is called. One of a newer writer is called by its type. */
const CHECKPOINTS: Readonly<Record<string, Said>> = {
  resume_seed: { title: "Branched from here" },
  queued: { title: "Queued" },
  approval: { title: "Waits for a decision" },
  paused: { title: "Paused" },
  resumed: { title: "Resumed" },
  completed: { title: "Completed", tone: "good" },
  needs_review: { ...NEEDS_REVIEW, tone: "warning" },
  cancelled: { title: "Cancelled" },
};

export const PROGRESS: Pick<Handlers, Names> = {
  session_checkpoint(draft, { checkpoint_type: type, status, summary_text: text, details }, frame) {
    if (type === "resume_seed") begins(draft);
    // Why it waits is said already.
    if (type === "paused" && draft.held !== null) return raw(draft, frame.payload, frame);
    draft.checkpoint = status;
    const said = CHECKPOINTS[type] ?? { title: `Checkpoint: ${worded(type)}` };
    const row = { notice: "checkpoint", ...said, text } as const;
    if (type === "recovering") return triedAgain(draft, frame, details);
    if (type === "failed" || type === "expired") {
      if (isTold(draft, text)) return notice(draft, quiet(frame), row);
      const title = type === "expired" ? failureInWords(type) : "The session failed";
      return failed(draft, frame, { title, text, next: nextAfter(type) });
    }
    notice(draft, type === "step" && isStepTold(draft, status) ? quiet(frame) : frame, row);
  },
  step_progress(draft, { step_id, status, title, index, total }, frame) {
    const place = index === undefined ? step_id : `Step ${index}${total === undefined ? "" : ` of ${total}`}`;
    const tone = status === "completed" ? "good" : status === "failed" ? "bad" : "calm";
    // Where it has ended, that it was running is no news any more.
    if (status !== "running") hushRunning(draft, `${place} running`);
    const told = status === "failed" && isTold(draft, null);
    notice(draft, told ? quiet(frame) : frame, {
      notice: "step",
      tone,
      title: `${place} ${worded(status)}`,
      text: title ?? "",
    });
  },
};

const worded = (name: string): string => name.replaceAll("_", " ");

/** Nothing of before is open in a branch. */
function begins(draft: Draft): void {
  settle(draft);
  abandon(draft);
  hush(draft, draft.pausing);
  draft.waitingBelow.clear();
  Object.assign(draft, { turn: null, failure: null, waiting: null, tried: null, pausing: null, held: null });
}

function hushRunning(draft: Draft, title: string): void {
  const turn = draft.entries.findLastIndex((row) => row.kind === "said" && row.how === "turn");
  for (const row of draft.entries.slice(turn + 1))
    if (row.kind === "notice" && row.notice === "step" && row.title === title) hush(draft, row.key);
}

/** That a step ended is said by the row before, or by the failure that ended it. */
function isStepTold(draft: Draft, status: string): boolean {
  if (status === "failed" && isTold(draft, null)) return true;
  const last = draft.entries.findLast(({ tier, kind }) => tier === "default" && kind === "notice");
  return last?.kind === "notice" && last.notice === "step";
}
