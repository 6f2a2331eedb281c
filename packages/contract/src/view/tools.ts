import type { FrontendFrame } from "../frames.ts";
import { add, base, type Draft, find, from, type Handlers, notice, raw, replace, settle } from "./draft.ts";
import type { ToolEntry } from "./entries.ts";
import { verdictInWords } from "./words/verdict.ts";

type Names =
  | "tool_call"
  | "tool_batch"
  | "tool_result"
  | "tool_outcome"
  | "tool_selected"
  | "tool_validation_error"
  | "effect_verdict";

/** Calls are told apart by their id alone: two of one tool stay two rows. */
export const TOOLS: Pick<Handlers, Names> = {
  tool_call(draft, { name, arguments: all, tool_call_id, effect, attempt = 1 }, frame) {
    settle(draft);
    const { _tool_call_id: _, ...args } = all as Record<string, unknown>;
    const row = rowOf(draft, frame, tool_call_id, name);
    replace(draft, { ...row, name, args, state: "decided", effect: effect ?? null, attempt });
  },
  tool_batch(draft, { tool_call_ids }, frame) {
    for (const id of tool_call_ids) {
      const row = find(draft, "tool", keyOf(id));
      if (row?.state === "decided")
        replace(draft, { ...row, state: "running", began: frame.at, ...from(row, frame) });
    }
    raw(draft, frame.payload, frame);
  },
  tool_result(draft, { tool_call_id, tool_name, result, error }, frame) {
    const row = rowOf(draft, frame, tool_call_id, tool_name);
    replace(draft, { ...row, result, error: error ?? row.error });
  },
  tool_outcome(draft, { tool_call_id, tool_name, status, elapsed_ms, result, error }, frame) {
    const row = rowOf(draft, frame, tool_call_id, tool_name);
    const ended = { state: status, elapsed: elapsed_ms, outcome: result, error: error ?? row.error };
    replace(draft, { ...row, ...ended });
  },
  tool_selected: raw,
  tool_validation_error(draft, { tool_call_id, tool_name, error, repaired }, frame) {
    raw(draft, frame.payload, frame);
    // Mended, it runs and has a row of its own.
    if (repaired === true) return;
    const row = rowOf(draft, frame, tool_call_id, tool_name);
    replace(draft, { ...row, tier: "default", state: "invalid", error });
  },
  effect_verdict(draft, { tool_name, verdict, reason }, frame) {
    const title = `After a crash: ${tool_name}, ${verdictInWords(verdict)}`;
    notice(draft, frame, { notice: "verdict", tone: "warning", title, text: reason });
  },
};

const keyOf = (id: string): string => `call:${id}`;

/** The row of the call; a window that begins in its middle has none yet. */
function rowOf(draft: Draft, frame: FrontendFrame, callId: string, name: string): ToolEntry {
  const known = find(draft, "tool", keyOf(callId));
  if (known !== undefined) return { ...known, ...from(known, frame) };
  settle(draft);
  const made: ToolEntry = {
    ...base(frame, keyOf(callId)),
    kind: "tool",
    callId,
    name,
    args: argumentsOf(draft.asked.get(callId)),
    state: "decided",
    began: null,
    elapsed: null,
    effect: null,
    result: undefined,
    outcome: undefined,
    error: null,
    attempt: 1,
  };
  add(draft, made);
  return made;
}

/** As the model wrote them, which may be no JSON. */
function argumentsOf(text: string | undefined): ToolEntry["args"] {
  if (text === undefined) return null;
  try {
    const args = JSON.parse(text) as unknown;
    return typeof args === "object" && args !== null && !Array.isArray(args)
      ? { ...args }
      : { arguments: args };
  } catch {
    return { arguments: text };
  }
}

/** What a call was delegated to has ended. Those of sessions further down have no row here. */
export function report(draft: Draft, callId: string, status: string): void {
  const row = find(draft, "tool", keyOf(callId));
  if (row?.state === "running") replace(draft, { ...row, reported: status });
}

/** What still ran when the turn ended is not known to have ended. */
export function abandon(draft: Draft): void {
  for (let i = draft.entries.length - 1; i >= 0; i--) {
    const entry = draft.entries[i]!;
    if (entry.kind === "said" && entry.how === "turn") return;
    if (entry.kind === "tool" && (entry.state === "running" || entry.state === "decided"))
      replace(draft, { ...entry, state: "lost" });
  }
}
