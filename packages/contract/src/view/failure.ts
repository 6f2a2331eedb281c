import type { FrontendFrame } from "../frames.ts";
import { TURN_FAILURES, type TurnFailure } from "../turn-failures.ts";
import { type Draft, type Failure, find, hush, loud, notice, replace } from "./draft.ts";

/** What a person can do about each of them. Total: a new failure has a way on. */
const NEXT: Readonly<Record<TurnFailure, string>> = {
  interrupted: "Say below that it should go on: what was done stays done.",
  model_error: "Try again below. If it lasts, branch from here with another model.",
  model_invalid: "Try again below. If it lasts, branch from here with another model.",
  model_timeout: "Try again below. If it lasts, branch from here with another model.",
  model_truncated: "Say below that it should go on, or ask for a shorter answer.",
  model_empty: "Say it in other words below, or branch from here with another model.",
  output_limit: "Ask below for less at once.",
  model_refused: "Look at the model's name and key, or branch from here with another model.",
  model_limited: "Wait a little, then try again below; or branch from here with another model.",
  step_limit: "Say below that it should go on, or ask for less at once.",
  repair_limit: "Say below how the tool is called, or branch from here with another model.",
  blocked: "Read what the supervisor says, then ask below for something that it allows.",
  hook_blocked: "Read what the hook says, then ask below for something that it allows.",
  expired: "Give it more time and resume it, or branch from here.",
  workspace: "Look at the workspace under Details, then resume it, or branch from here.",
  budget: "Raise the limit under Limits and modes, then say below how to go on.",
  stalled: "Say below how to go on, or branch from an earlier row.",
  internal: "Try again below. If it lasts, who runs the server finds more in its log.",
};
const OTHERWISE = "Say below how to go on, or branch from an earlier row.";

/** A turn that fails says why by a code; whatever else it says stays. */
export function failureInWords(code: string): string {
  return isKnown(code) ? TURN_FAILURES[code] : code;
}

export function nextAfter(code: string): string {
  return isKnown(code) ? NEXT[code] : OTHERWISE;
}

const isKnown = (code: string): code is TurnFailure => Object.hasOwn(TURN_FAILURES, code);

/** One failure is one row: the cause, and what to do about it. */
export function failed(
  draft: Draft,
  frame: FrontendFrame,
  said: { readonly title: string; readonly text: string; readonly next: string; readonly turn?: string },
): void {
  const { turn = null, ...row } = said;
  sameAgain(draft, row.text);
  tellsOf(draft, { key: frame.id, turn, cause: row.text });
  notice(draft, frame, { notice: "error", tone: "bad", ...row });
}

/** This row tells of it from here on. One that knew of no cause is for the debug tier; another failure stays. */
export function tellsOf(draft: Draft, failure: Failure): void {
  if (draft.failure?.cause === null) hush(draft, draft.failure.key);
  hush(draft, draft.waiting);
  gaveUp(draft);
  draft.failure = failure;
  draft.waiting = null;
}

/** Whether a row says this already. What names another cause, or a cause where none is known, is told. */
export function isTold({ failure }: Draft, cause: string | null): boolean {
  if (failure === null) return false;
  if (cause === null || failure.cause === null) return cause === null;
  // Some add the code to it.
  return cause.startsWith(failure.cause) || failure.cause.startsWith(cause);
}

/** It is tried again by itself: nobody has to do anything. `context` is why, as a `resume_context` says it. */
export function triedAgain(draft: Draft, frame: FrontendFrame, context: unknown): void {
  const { error } = (context ?? {}) as Readonly<Record<string, unknown>>;
  hush(draft, draft.waiting);
  gaveUp(draft);
  sameAgain(draft, typeof error === "string" ? error : "");
  draft.waiting = frame.id;
  draft.tried = frame.id;
  tellTry(draft, frame, context);
}

/** The model did not answer, and is asked again in a moment. Each such try stands for the ones before. */
export function askedAgain(draft: Draft, frame: FrontendFrame, context: unknown): void {
  gaveUp(draft);
  draft.asking = frame.id;
  tellTry(draft, loud(frame), context);
}

/** The model answers after all. */
export function answers(draft: Draft): void {
  wasTriedAgain(draft, draft.asking);
  draft.asking = null;
}

/** The model is asked no more: what became of that is told elsewhere. */
export function gaveUp(draft: Draft): void {
  hush(draft, draft.asking);
  draft.asking = null;
}

function tellTry(draft: Draft, frame: FrontendFrame, context: unknown): void {
  const { code, error, attempt, until } = (context ?? {}) as Readonly<Record<string, unknown>>;
  const at = typeof until === "string" ? ` at ${until}` : "";
  const after = typeof attempt === "number" ? ` That was try ${attempt}.` : "";
  notice(draft, frame, {
    notice: "error",
    tone: "warning",
    title: typeof code === "string" ? failureInWords(code) : "It failed.",
    text: typeof error === "string" ? error : "",
    next: `It is tried again by itself${at}: nothing is to be done.${after}`,
  });
}

/** A try that failed for the same reason as the one before is the same failure still. */
function sameAgain(draft: Draft, cause: string): void {
  const before = draft.tried === null ? undefined : find(draft, "notice", draft.tried);
  if (before?.text === cause) hush(draft, draft.tried);
  draft.tried = null;
}

/** It goes on: what fails, or waits, from here on does so anew, and what was waited for is over. */
export function goesOn(draft: Draft): void {
  wasTriedAgain(draft, draft.waiting);
  draft.failure = null;
  draft.waiting = null;
}

function wasTriedAgain(draft: Draft, key: string | null): void {
  const tried = key === null ? undefined : find(draft, "notice", key);
  if (tried?.notice === "error") replace(draft, { ...tried, tone: "calm", next: "It was tried again." });
}
