import type { QuestionRow } from "@fairlead/contract";
import type { Backend, QuestionDecision } from "../backend.ts";
import type { Output } from "../output.ts";
import { answerDecision, bound, optionsOf } from "../question-answer.ts";
import { printable } from "../text.ts";
import { questionDetails } from "./question-card.ts";
import { plainLine } from "./span.ts";

/** Where a line is typed at last; undefined when there is none any more. */
export type NextLine = () => Promise<string | undefined>;

/** What was typed is no decision: asked again. */
type Typed = QuestionDecision | undefined;

interface Asking {
  readonly prompt: string;
  /** Above the prompt. */
  readonly lines: readonly string[];
  read(text: string): Typed;
}

/** Asks for each decision that a session waits for, by typed lines. False: nobody answered. */
export async function askByLine(
  backend: Backend,
  session: string,
  out: Output,
  next: NextLine,
): Promise<boolean> {
  const { rows } = await backend.listQuestions({ session_id: session, state: "pending" });
  for (const { request_id } of rows.toReversed())
    if ((await decideByLine(backend, request_id, out, next)) === undefined) return false;
  return true;
}

/** How it was decided, by whoever was first. Undefined: there is nobody to ask any more. `leave`: an empty line leaves it as it is. */
export async function decideByLine(
  backend: Backend,
  id: string,
  out: Output,
  next: NextLine,
  leave = false,
): Promise<QuestionRow | undefined> {
  for (;;) {
    const row = await backend.getQuestion(id);
    if (row.state !== "pending") return row;
    for (const one of questionDetails(row, Math.min(out.columns, 100) - 1)) await out.line(plainLine(one));
    const decision = await typed(row, out, next, leave);
    if (decision === undefined) return undefined;
    if (decision === "left") return row;
    try {
      return await backend.decideQuestion(id, bound(decision, row));
    } catch (error) {
      const { code } = error as { code?: string };
      if (code === "question_decided" || code === "question_expired") {
        out.error(error);
        return backend.getQuestion(id);
      }
      // It is about something else by now: shown, and asked again.
      if (code !== "question_changed") throw error;
      out.error(error);
    }
  }
}

async function typed(
  row: QuestionRow,
  out: Output,
  next: NextLine,
  leave: boolean,
): Promise<QuestionDecision | "left" | undefined> {
  const { lines, prompt, read } = row.kind === "approval" ? yesOrNo(row) : answer(row);
  for (const one of lines) await out.line(printable(one));
  for (;;) {
    await out.text(printable(`${prompt}${leave ? ", or nothing to leave it" : ""}: `));
    const text = (await next())?.trim();
    if (text === undefined) return undefined;
    if (text === "" && leave) return "left";
    const decision = read(text);
    if (decision !== undefined) return decision;
  }
}

function yesOrNo({ tool_name }: QuestionRow): Asking {
  return {
    lines: [],
    prompt: `Allow ${tool_name}? y, or n and why`,
    read(text) {
      if (/^(y|yes)$/i.test(text)) return { decision: "approved" };
      const no = /^(?:n|no)(?:\s+(.*))?$/i.exec(text);
      return no === null
        ? undefined
        : { decision: "denied", ...(no[1] === undefined ? {} : { note: no[1] }) };
    },
  };
}

/** By the number of an option or its name; as text where there are none. */
function answer(row: QuestionRow): Asking {
  const options = optionsOf(row.shown);
  if (options.length === 0)
    return {
      lines: [],
      prompt: `Answer ${row.tool_name}`,
      read: (text) => answerDecision(row, text),
    };
  return {
    lines: options.map(({ outcome, label }, i) => `  ${i + 1}  ${label} (${outcome})`),
    prompt: `Answer ${row.tool_name}: 1 to ${options.length}`,
    read: (text) => answerDecision(row, options[Number(text) - 1]?.outcome ?? text),
  };
}
