import { add, base, find, from, type Handlers, notice, quiet, raw, replace, settle } from "./draft.ts";
import { held } from "./enforced.ts";
import { failed, failureInWords, gaveUp, goesOn, nextAfter, tellsOf } from "./failure.ts";
import { abandon } from "./tools.ts";

type Names = "turn_start" | "turn_end" | "completed" | "error" | "input_queued" | "input_taken" | "gap";

export const TURNS: Pick<Handlers, Names> = {
  turn_start(draft, { turn_id, input, input_id, actor }, frame) {
    settle(draft);
    goesOn(draft);
    const again = draft.turn?.id === turn_id;
    draft.turn = { id: turn_id, at: frame.at };
    // Begun again by another process: it was said once.
    if (again) return raw(draft, frame.payload, frame);
    draft.tried = null;
    draft.calm = false;
    const waiting = input_id === undefined ? undefined : find(draft, "said", input_id);
    if (waiting !== undefined) replace(draft, { ...waiting, tier: "debug" });
    add(draft, {
      ...base(frame),
      tier: "default",
      kind: "said",
      text: input,
      how: "turn",
      by: actor ?? null,
      state: "said",
      note: null,
    });
  },
  turn_end(draft, { turn_id, status, reason, waits = [] }, frame) {
    settle(draft);
    gaveUp(draft);
    if (status === "parked") {
      const timer = waits.find((wait) => (wait as { kind?: string }).kind === "timer");
      if (timer === undefined) return raw(draft, frame.payload, frame);
      const until = (timer as { until?: string }).until ?? "";
      draft.waiting = frame.id;
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
    const told = status === "failed" && draft.failure?.turn === turn_id;
    if (status === "failed" && !told) tellsOf(draft, { key: frame.id, turn: turn_id, cause: null });
    add(draft, {
      ...base(told ? quiet(frame) : frame),
      kind: "end",
      status,
      reason: reason === undefined ? null : failureInWords(reason),
      elapsed: Number.isNaN(elapsed) ? null : elapsed,
      ...(draft.calm ? { calm: true as const } : {}),
    });
    draft.calm = false;
  },
  // The text is there already, and the end of the turn says the rest.
  completed: raw,
  error(draft, { turn_id: turn, error, code }, frame) {
    if (code === "cancelled") return raw(draft, frame.payload, frame);
    if (code === "budget") {
      tellsOf(draft, { key: frame.id, turn, cause: error });
      return held(draft, frame, { action: "end", reason: error, crossed: [] });
    }
    failed(draft, frame, { title: failureInWords(code), text: error, next: nextAfter(code), turn });
  },
  input_queued(draft, { input_id, mode, input, actor }, frame) {
    settle(draft);
    const said = { text: input, how: mode, by: actor, state: "waiting", note: null } as const;
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
  gap: (draft, { from_seq, to_seq }, frame) =>
    notice(draft, frame, {
      notice: "gap",
      tone: "warning",
      title: "Trimmed",
      text: `Events ${from_seq} to ${to_seq} are no longer kept.`,
    }),
};
