/** What a cursor names. `event` is any place; those before it are the places that `resume_points` lists. */
export const RESUME_KINDS = ["turn", "checkpoint", "approval", "compact", "event"] as const;
export type ResumeKind = (typeof RESUME_KINDS)[number];

/** A place to go on from: the last event that is kept is `seq` in the history of `session`. */
export interface ResumeCursor {
  readonly kind: ResumeKind;
  readonly session: string;
  readonly seq: number;
}

const FORM = new RegExp(`^(${RESUME_KINDS.join("|")}):([\\w.@~+-]{1,128}):([1-9]\\d{0,15})$`);

/** `KIND:SESSION:SEQ`, such as seed 000's `compact:serve_demo:14`. */
export function printResumeCursor({ kind, session, seq }: ResumeCursor): string {
  return `${kind}:${session}:${seq}`;
}

/** Undefined when the text is no such cursor. Whether the place exists is for the session to say. */
export function parseResumeCursor(text: string): ResumeCursor | undefined {
  const [, kind, session, digits] = FORM.exec(text) ?? [];
  const seq = Number(digits);
  if (session === undefined || !Number.isSafeInteger(seq)) return undefined;
  return { kind: kind as ResumeKind, session, seq };
}
