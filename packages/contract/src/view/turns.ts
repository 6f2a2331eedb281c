import { TURN_FAILURES } from "../turn-failures.ts";
import type { FrontendFrame } from "../frames.ts";
import { add, base, type Draft, find, from, type Handlers, notice, raw, replace, settle } from "./draft.ts";
import { held, letGo } from "./enforced.ts";
import type { NoticeEntry } from "./entries.ts";
import { abandon } from "./tools.ts";

type Names =
  | "session_state"
  | "turn_start"
  | "turn_end"
  | "completed"
  | "error"
  | "input_queued"
  | "input_taken"
  | "session_checkpoint"
  | "step_progress"
  | "gap";

/** Said beside the conversation; the others are plain from what follows. */
const TOLD_STATES: ReadonlySet<string> = new Set(["paused", "recovering", "needs_review", "failed"]);

/** A turn that fails says why by a code; whatever else it says stays. */
function failureInWords(code: string): string {
  const known: Readonly<Record<string, string>> = TURN_FAILURES;
  return Object.hasOwn(known, code) ? known[code]! : code;
}

export const TURNS: Pick<Handlers, Names> = {
  session_state(draft, state, frame) {
    // Why it waits is said already.
    if (state.status === "paused" && draft.held !== null) return raw(draft, state, frame);
    if (state.status === "queued" || state.status === "running") letGo(draft);
    if (!TOLD_STATES.has(state.status)) return raw(draft, state, frame);
    const tone = state.status === "paused" ? "calm" : state.status === "failed" ? "bad" : "warning";
    const title = `Session ${state.status.replaceAll("_", " ")}`;
    const text = state.last_error ?? "";
    // Once is enough: the error that ended it says why.
    const said = draft.entries.findLast((row) => row.kind === "notice" && row.notice === "error");
    const again = text !== "" && said?.kind === "notice" && said.text === text;
    notice(draft, frame, { notice: "state", tone, title, text: again ? "" : text });
  },
  turn_start(draft, { turn_id, input, input_id }, frame) {
    settle(draft);
    const again = draft.turn?.id === turn_id;
    draft.turn = { id: turn_id, at: frame.at };
    // Begun again by another process: it was said once.
    if (again) return raw(draft, frame.payload, frame);
    const waiting = input_id === undefined ? undefined : find(draft, "said", input_id);
    if (waiting !== undefined) replace(draft, { ...waiting, tier: "debug" });
    add(draft, {
      ...base(frame),
      tier: "default",
      kind: "said",
      text: input,
      how: "turn",
      state: "said",
      note: null,
    });
  },
  turn_end(draft, { turn_id, status, reason, waits = [] }, frame) {
    settle(draft);
    if (status === "parked") {
      const timer = waits.find((wait) => (wait as { kind?: string }).kind === "timer");
      if (timer === undefined) return raw(draft, frame.payload, frame);
      const until = (timer as { until?: string }).until ?? "";
      return notice(draft, frame, {
        notice: "state",
        title: "Waiting",
        text: `${reason ?? "Parked"} Until ${until}.`,
      });
    }
    abandon(draft);
    const began = draft.turn?.id === turn_id ? Date.parse(draft.turn.at) : NaN;
    const elapsed = Date.parse(frame.at) - began;
    draft.turn = null;
    add(draft, {
      ...base(frame),
      kind: "end",
      status,
      reason: reason === undefined ? null : failureInWords(reason),
      elapsed: Number.isNaN(elapsed) ? null : elapsed,
    });
  },
  // The text is there already, and the end of the turn says the rest.
  completed: raw,
  error(draft, { error, code }, frame) {
    if (code === "cancelled") return raw(draft, frame.payload, frame);
    if (code === "budget") return held(draft, frame, { action: "end", reason: error, crossed: [] });
    notice(draft, frame, { notice: "error", tone: "bad", title: failureInWords(code), text: error });
  },
  input_queued(draft, { input_id, mode, input, actor }, frame) {
    settle(draft);
    const said = { text: input, how: mode, state: "waiting", note: actor } as const;
    add(draft, { ...base(frame, input_id), kind: "said", ...said });
  },
  input_taken(draft, { input_id, dropped }, frame) {
    raw(draft, frame.payload, frame);
    const waiting = find(draft, "said", input_id);
    if (waiting === undefined) return;
    const how = dropped === undefined ? "said" : "dropped";
    replace(draft, {
      ...waiting,
      state: how,
      note: dropped ?? waiting.note,
      ...from(waiting, frame),
    });
  },
  session_checkpoint(draft, { checkpoint_type, status, summary_text }, frame) {
    // Why it waits is said already.
    if (checkpoint_type === "paused" && draft.held !== null) return raw(draft, frame.payload, frame);
    if (checkpoint_type === "resume_seed") {
      settle(draft);
      abandon(draft);
      draft.turn = null;
    }
    const title =
      checkpoint_type === "resume_seed"
        ? "Branched from here"
        : `Checkpoint: ${checkpoint_type.replaceAll("_", " ")}${status === checkpoint_type ? "" : `, ${status.replaceAll("_", " ")}`}`;
    const row = { notice: "checkpoint", title, text: summary_text } as const;
    if (isTold(draft, checkpoint_type)) return notice(draft, quiet(frame), row);
    notice(draft, frame, row);
  },
  step_progress(draft, { step_id, status, title, index, total }, frame) {
    const place = index === undefined ? step_id : `Step ${index}${total === undefined ? "" : ` of ${total}`}`;
    const tone = status === "completed" ? "good" : status === "failed" ? "bad" : "calm";
    // Where it has ended, that it was running is no news any more.
    if (status !== "running")
      quieten(draft, (row) => row.notice === "step" && row.title === `${place} running`);
    notice(draft, frame, {
      notice: "step",
      tone,
      title: `${place} ${status.replaceAll("_", " ")}`,
      text: title ?? "",
    });
  },
  gap: (draft, { from_seq, to_seq }, frame) =>
    notice(draft, frame, {
      notice: "gap",
      tone: "warning",
      title: "Trimmed",
      text: `Events ${from_seq} to ${to_seq} are no longer kept.`,
    }),
};

/** For the debug tier alone: the default one has it from another row. */
function quiet(frame: FrontendFrame): FrontendFrame {
  return { ...frame, tier: "debug" };
}

/** Takes rows of the open turn out of the default tier. */
function quieten(draft: Draft, which: (row: NoticeEntry) => boolean): void {
  const turn = draft.entries.findLastIndex(({ kind }) => kind === "end");
  for (const entry of draft.entries.slice(turn + 1))
    if (entry.kind === "notice" && entry.tier === "default" && which(entry))
      replace(draft, { ...entry, tier: "debug" });
}

/** Whether the row before it says the same: that a step ended, or why the work failed. */
function isTold(draft: Draft, checkpoint_type: string): boolean {
  const last = draft.entries.findLast(({ tier, kind }) => tier === "default" && kind === "notice");
  if (last?.kind !== "notice") return false;
  return checkpoint_type === "step"
    ? last.notice === "step"
    : checkpoint_type === "failed" && last.notice === "error";
}
