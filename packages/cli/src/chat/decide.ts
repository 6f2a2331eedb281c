import type { QuestionRow } from "@fairlead/contract";
import type { QuestionDecision } from "../backend.ts";
import { bound } from "../question-answer.ts";
import { answerQuestion, askAnswer } from "./ask-answer.ts";
import { argumentsOf, questionDetails } from "./question-card.ts";
import { line } from "./span.ts";
import type { Ui } from "./ui.ts";

const KEYS = [
  ["y", "yes"],
  ["n", "no"],
  ["e", "edit"],
  ["s", "scope"],
  ["d", "details"],
] as const;

/**
 * Asks until there is a decision; undefined when it was put away or decided elsewhere. What is sent is bound to what was
 * shown, so that a yes never means something else.
 */
export async function askDecision(
  ui: Ui,
  row: QuestionRow,
  signal: AbortSignal,
): Promise<QuestionDecision | undefined> {
  const question =
    row.kind === "approval" ? { title: `Allow ${row.tool_name}?`, keys: KEYS } : answerQuestion(row);
  for (;;) {
    const key = await ui.key(question, signal);
    if (key === undefined) return undefined;
    const decision = await answered(ui, row, key, signal);
    if (decision !== undefined) return bound(decision, row);
    if (signal.aborted) return undefined;
  }
}

async function answered(
  ui: Ui,
  row: QuestionRow,
  key: string,
  signal: AbortSignal,
): Promise<QuestionDecision | undefined> {
  switch (key) {
    case "a":
      return askAnswer(ui, row, signal);
    case "y":
      return { decision: "approved" };
    case "n": {
      const why = await ui.ask("Why not? It is told this (may be empty)", "", signal);
      return why === undefined
        ? undefined
        : { decision: "denied", ...(why.trim() === "" ? {} : { note: why }) };
    }
    case "e":
      return changed(ui, row, signal);
    case "s":
      return scoped(ui, row, signal);
    default:
      ui.print(questionDetails(row, ui.width));
      return undefined;
  }
}

async function changed(ui: Ui, row: QuestionRow, signal: AbortSignal): Promise<QuestionDecision | undefined> {
  const before = argumentsOf(row) ?? {};
  let text: string | undefined = JSON.stringify(before, null, 2);
  const own = await ui.external?.(`${text}\n`);
  text = own ?? (await ui.ask("Arguments as JSON", JSON.stringify(before), signal));
  for (;;) {
    if (text === undefined || signal.aborted) return undefined;
    try {
      const edited = JSON.parse(text) as unknown;
      if (JSON.stringify(edited) !== JSON.stringify(before)) return { decision: "edited", edited };
      ui.print([line("Nothing was changed, so nothing is decided.", "dim")]);
      return undefined;
    } catch (error) {
      ui.print([line(`That is not JSON: ${(error as Error).message}`, "yellow")]);
      text = await ui.ask("Arguments as JSON", text.trim(), signal);
    }
  }
}

const REACHES = [
  { value: "call", label: "this call", about: "ask again the next time" },
  { value: "turn", label: "this turn", about: "until the turn ends" },
  { value: "session", label: "this session", about: "as long as it goes on" },
  { value: "pattern", label: "a pattern", about: "in every session of yours, for 30 days or until revoked" },
] as const;

async function scoped(ui: Ui, row: QuestionRow, signal: AbortSignal): Promise<QuestionDecision | undefined> {
  const kind = await ui.pick("How far does the yes reach?", REACHES, signal);
  if (kind === undefined) return undefined;
  if (kind === "call") return { decision: "approved" };
  const pattern = await ui.ask("Allow without asking", row.pattern ?? `${row.tool_name}: `, signal);
  if (pattern === undefined) return undefined;
  if (pattern.trim() === "") {
    ui.print([line("Without a pattern only this call can be allowed.", "yellow")]);
    return undefined;
  }
  return { decision: "approved", scope: { kind, pattern: pattern.trim() } };
}
