import type { EventData } from "@fairlead/contract";

/** What a person can answer when nobody knows whether a call took effect. */
export const OUTCOME_OPTIONS = [
  { outcome: "happened", label: "It happened" },
  { outcome: "run_again", label: "Run it again" },
  { outcome: "give_up", label: "Give up" },
] as const;

export type SaidOutcome = (typeof OUTCOME_OPTIONS)[number]["outcome"];

/** Who asks about a call whose process was lost. */
export const RECOVERY_ORIGIN = "recovery";

/** The option that an answer names: by its word, as the option itself, or by the label that is shown. */
export function optionOf(answer: unknown): SaidOutcome | undefined {
  const said =
    typeof answer === "object" && answer !== null ? (answer as { outcome?: unknown }).outcome : answer;
  if (typeof said !== "string") return undefined;
  const word = said.trim().toLowerCase();
  return OUTCOME_OPTIONS.find(({ outcome, label }) => word === outcome || word === label.toLowerCase())
    ?.outcome;
}

/** Whatever is no clear word gives it up: nothing runs again without one. */
export function outcomeSaid({
  decision,
  answer,
}: Pick<EventData<"runtime.question.decided">, "decision" | "answer">): SaidOutcome {
  const said =
    typeof answer === "object" && answer !== null ? (answer as { outcome?: unknown }).outcome : answer;
  return decision === "approved" && (said === "happened" || said === "run_again") ? said : "give_up";
}
