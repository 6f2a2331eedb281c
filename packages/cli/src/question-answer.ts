import type { QuestionRow } from "@fairlead/contract";
import type { QuestionDecision } from "./backend.ts";

/** One way to answer a question that asks what became of something. */
export interface AnswerOption {
  /** What the runtime is told. */
  readonly outcome: string;
  readonly label: string;
}

/** What a question can be answered with; none where any text will do. */
export function optionsOf(shown: unknown): AnswerOption[] {
  const { options } = (shown ?? {}) as { options?: unknown };
  if (!Array.isArray(options)) return [];
  return options.flatMap((option: { outcome?: unknown; label?: unknown } | null) => {
    if (typeof option?.outcome !== "string") return [];
    const { outcome, label } = option;
    return [{ outcome, label: typeof label === "string" && label !== "" ? label : outcome }];
  });
}

/** One of the options, by its name; where there are none, what was given. Undefined: it is no answer to this. */
export function answerDecision({ shown }: QuestionRow, given: string): QuestionDecision | undefined {
  const options = optionsOf(shown);
  if (options.length > 0)
    return options.some(({ outcome }) => outcome === given)
      ? { decision: "approved", answer: { outcome: given } }
      : undefined;
  if (given.trim() === "") return undefined;
  try {
    return { decision: "approved", answer: JSON.parse(given) as unknown };
  } catch {
    return { decision: "approved", answer: given };
  }
}

/** A decision counts only for what was shown. */
export function bound(decision: QuestionDecision, { shown_hash }: QuestionRow): QuestionDecision {
  return shown_hash === null ? decision : { ...decision, shown_hash };
}
