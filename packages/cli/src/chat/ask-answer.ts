import type { QuestionRow } from "@fairlead/contract";
import type { QuestionDecision } from "../backend.ts";
import { answerDecision, optionsOf } from "../question-answer.ts";
import type { Question, Ui } from "./ui.ts";

/**
 * How a question is asked that wants an answer and no yes. By a key first: a list takes Enter at once, and whoever was
 * typing would answer by accident.
 */
export function answerQuestion({ tool_name, shown }: QuestionRow): Question {
  const no = ["n", "no"] as const;
  return {
    title: `Answer ${tool_name}?`,
    keys: [["a", "answer"], ...(optionsOf(shown).length > 0 ? [] : [no]), ["d", "details"]],
  };
}

/** After `a`: from the list of what it can be, or as text. Undefined: no answer yet, it is asked again. */
export async function askAnswer(
  ui: Ui,
  row: QuestionRow,
  signal: AbortSignal,
): Promise<QuestionDecision | undefined> {
  const options = optionsOf(row.shown);
  const given =
    options.length === 0
      ? await ui.ask("Your answer", "", signal)
      : await ui.pick(
          "What is the answer?",
          options.map(({ outcome, label }) => ({
            value: outcome,
            label,
            ...(label === outcome ? {} : { about: outcome }),
          })),
          signal,
        );
  return given === undefined ? undefined : answerDecision(row, given);
}
