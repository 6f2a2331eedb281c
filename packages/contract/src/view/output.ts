import type { FrontendFrame } from "../frames.ts";
import { add, base, type Draft, find, from, type Handlers, notice, replace, settle } from "./draft.ts";
import { answers } from "./failure.ts";
import type { TextEntry } from "./entries.ts";

type Names = "token" | "thinking" | "response" | "output_superseded" | "reflection";

export const OUTPUT: Pick<Handlers, Names> = {
  token(draft, { text, step }, frame) {
    const open = openText(draft, step);
    if (open !== undefined) return replace(draft, { ...open, text: open.text + text });
    begin(draft, frame, text, step);
  },
  thinking(draft, { text }, frame) {
    const open = draft.open === null ? undefined : find(draft, "thinking", draft.open);
    if (open !== undefined) return replace(draft, { ...open, text: open.text + text });
    settle(draft);
    answers(draft);
    add(draft, { ...base(frame), kind: "thinking", text, open: true });
    draft.open = frame.id;
  },
  response(draft, { text, step, tool_calls = [] }, frame) {
    answers(draft);
    for (const call of tool_calls) draft.asked.set(call.tool_call_id, call.arguments);
    const open = openText(draft, step);
    // The whole text: the window may begin in the middle of its pieces.
    if (open !== undefined) replace(draft, { ...open, text: text || open.text, ...from(open, frame) });
    else if (text !== "") begin(draft, frame, text, step);
    settle(draft);
  },
  output_superseded(draft, { step, reason }, frame) {
    const open = openText(draft, step);
    settle(draft);
    if (open === undefined) return;
    replace(draft, { ...open, open: false, superseded: reason, ...from(open, frame) });
  },
  reflection: (draft, { text }, frame) =>
    notice(draft, frame, { notice: "reflection", title: "Looking back", text }),
};

function openText(draft: Draft, step: number | undefined): TextEntry | undefined {
  const open = draft.open === null ? undefined : find(draft, "text", draft.open);
  return open !== undefined && open.step === (step ?? null) ? open : undefined;
}

function begin(draft: Draft, frame: FrontendFrame, text: string, step: number | undefined): void {
  settle(draft);
  answers(draft);
  saidAgain(draft, step ?? null);
  add(draft, { ...base(frame), kind: "text", text, step: step ?? null, open: true, superseded: null });
  draft.open = frame.id;
}

/** What was cut off in this step of the turn is said after all. */
function saidAgain(draft: Draft, step: number | null): void {
  const turn = draft.entries.findLastIndex(({ kind }) => kind === "end" || kind === "said");
  for (const entry of draft.entries.slice(turn + 1))
    if (entry.kind === "text" && entry.superseded !== null && entry.step === step)
      replace(draft, { ...entry, again: true });
}
