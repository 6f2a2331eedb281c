import { type ApprovalScope, PATTERN_DAYS } from "@fairlead/contract";
import { parsePattern, printPattern } from "./pattern.ts";

const DAY = 86_400_000;
/** How long a saved pattern lasts at most. */
export const MOST_DAYS = 365;

/** What a question says that a scope depends on. */
interface Scoped {
  readonly kind: string;
  readonly tool_name: string;
  readonly origin?: string;
  readonly pattern?: string;
}

export type ReadScope =
  | { readonly ok: true; readonly scope: ApprovalScope }
  | { readonly ok: false; readonly error: string };

/** The scope as it is kept: with its pattern and, where it outlives the session, its end. Changes nothing when it is wrong. */
export function readScope(given: ApprovalScope, question: Scoped, decision: string, now: number): ReadScope {
  const { kind } = given;
  if (kind === "call") {
    return given.pattern === undefined && given.expires_at === undefined
      ? { ok: true, scope: { kind } }
      : bad("A yes to this call alone has no pattern and no end.");
  }
  if (decision !== "approved") return bad("A scope goes only with the decision `approved`.");
  // Whoever asked without saying why does not look for such a yes either.
  if (question.kind !== "approval" || question.origin === undefined)
    return bad("This question can be answered for this call only.");
  const pattern = patternFor(given, question);
  if (!pattern.ok) return pattern;
  const end = endFor(given, now);
  if (!end.ok) return end;
  return {
    ok: true,
    scope: {
      kind,
      pattern: pattern.text,
      ...(end.expires_at === undefined ? {} : { expires_at: end.expires_at }),
    },
  };
}

type Bad = { readonly ok: false; readonly error: string };

function patternFor({ kind, pattern }: ApprovalScope, question: Scoped): Bad | { ok: true; text: string } {
  // What outlives the session is only what the person has seen and sent.
  const text = kind === "pattern" ? pattern : (pattern ?? question.pattern);
  if (text === undefined) {
    return bad(
      kind === "pattern"
        ? "`pattern` must say what is allowed, such as `shell: git status*`."
        : "No pattern fits this call by itself. Give one, or approve this call alone.",
    );
  }
  const read = parsePattern(text);
  if (!read.ok) return bad(read.error);
  if (read.pattern.tool !== question.tool_name)
    return bad(`The pattern is for ${read.pattern.tool}, and the question is about ${question.tool_name}.`);
  return { ok: true, text: printPattern(read.pattern) };
}

function endFor({ kind, expires_at }: ApprovalScope, now: number): Bad | { ok: true; expires_at?: string } {
  if (expires_at === undefined) {
    if (kind !== "pattern") return { ok: true };
    return { ok: true, expires_at: new Date(now + PATTERN_DAYS * DAY).toISOString() };
  }
  const at = Date.parse(expires_at);
  if (!(at > now)) return bad("`expires_at` must be a time to come.");
  if (at > now + MOST_DAYS * DAY) return bad(`A scope lasts at most ${MOST_DAYS} days.`);
  return { ok: true, expires_at: new Date(at).toISOString() };
}

function bad(error: string): Bad {
  return { ok: false, error };
}
