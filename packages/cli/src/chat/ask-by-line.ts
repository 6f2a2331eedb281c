import type { QuestionRow } from "@fairlead/contract";
import type { Backend, QuestionDecision } from "../backend.ts";
import type { Output } from "../output.ts";
import { questionDetails } from "./question-card.ts";
import { plainLine } from "./span.ts";

/** Where a line is typed at last; undefined when there is none any more. */
export type NextLine = () => Promise<string | undefined>;

/** Asks for each decision that a session waits for, by typed lines. False: nobody answered. */
export async function askByLine(
  backend: Backend,
  session: string,
  out: Output,
  next: NextLine,
): Promise<boolean> {
  const { rows } = await backend.listQuestions({ session_id: session, state: "pending" });
  for (const { request_id } of rows.toReversed()) {
    const row = await backend.getQuestion(request_id);
    for (const one of questionDetails(row, Math.min(out.columns, 100) - 1)) await out.line(plainLine(one));
    const decision = await answer(row, out, next);
    if (decision === undefined) return false;
    await backend.decideQuestion(request_id, decision);
  }
  return true;
}

async function answer(
  { tool_name, shown_hash }: QuestionRow,
  out: Output,
  next: NextLine,
): Promise<QuestionDecision | undefined> {
  const bound = shown_hash === null ? {} : { shown_hash };
  for (;;) {
    await out.text(`Allow ${tool_name}? y, or n and why: `);
    const text = (await next())?.trim();
    if (text === undefined) return undefined;
    if (/^(y|yes)$/i.test(text)) return { decision: "approved", ...bound };
    const no = /^(?:n|no)(?:\s+(.*))?$/i.exec(text);
    if (no !== null) return { decision: "denied", ...(no[1] === undefined ? {} : { note: no[1] }), ...bound };
  }
}
