import type { SessionStatus } from "../events/session.ts";
import { type Draft, find, type Handler, hush, notice, quiet, replace } from "./draft.ts";
import { isTold } from "./failure.ts";
import { worded } from "./words/json.ts";

/** One line a step: that it runs, until it is said to have ended. */
export const stepProgress: Handler<"step_progress"> = (draft, said, frame) => {
  const { step_id, status, title = "", index, total } = said;
  const place = index === undefined ? step_id : `Step ${index}${total === undefined ? "" : ` of ${total}`}`;
  const tone = status === "completed" ? "good" : status === "failed" ? "bad" : "calm";
  hush(draft, draft.step);
  const runs = status === "running";
  draft.step = runs ? frame.id : null;
  const told = !runs && isEndTold(draft, status);
  const row = { notice: "step", tone, title: `${place} ${worded(status)}`, text: title } as const;
  notice(draft, told ? quiet(frame) : frame, { ...row, ...(tone === "bad" ? {} : { slim: true as const }) });
};

const RUNS: ReadonlySet<SessionStatus> = new Set(["queued", "running"]);
const WAITS: ReadonlySet<SessionStatus> = new Set(["awaiting_approval", "paused", "recovering"]);

/** The step under way, once the session is this: it runs, it waits, or nothing is under way any more. */
export function stepStands(draft: Draft, status: SessionStatus): void {
  const row = draft.step === null ? undefined : find(draft, "notice", draft.step);
  if (row === undefined) return;
  if (RUNS.has(status)) replace(draft, { ...row, title: row.title.replace(/ waits$/, " running") });
  else if (WAITS.has(status)) replace(draft, { ...row, title: row.title.replace(/ running$/, " waits") });
  else {
    hush(draft, row.key);
    draft.step = null;
  }
}

/** That a step ended is said by the row before, by the end of its turn, or by the failure that ended it. */
export function isStepTold(draft: Draft, status: string): boolean {
  if (isEndTold(draft, status)) return true;
  const last = draft.entries.findLast(({ tier, kind }) => tier === "default" && kind === "notice");
  return last?.kind === "notice" && last.notice === "step";
}

function isEndTold(draft: Draft, status: string): boolean {
  if (status === "failed" && isTold(draft, null)) return true;
  return draft.entries.findLast(({ tier }) => tier === "default")?.kind === "end";
}
