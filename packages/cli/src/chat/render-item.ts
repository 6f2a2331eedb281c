import { callRow, duration } from "./call-row.ts";
import type { DecidedItem, EndItem, Item, SaidItem, TextItem } from "./items.ts";
import { type Look, markdownLines } from "./markdown.ts";
import { questionCard } from "./question-card.ts";
import { type Line, line, span, type Style } from "./span.ts";
import { taskLines } from "./task-lines.ts";
import { wrap } from "./wrap.ts";

export interface Scene extends Look {
  readonly now: number;
  /** Whether thinking is shown whole. */
  readonly thinking: boolean;
}

/** A part of an item that is printed as one, once nothing of it changes any more. */
export interface Unit {
  readonly kind: Item["kind"];
  readonly lines: readonly Line[];
  readonly final: boolean;
}

/** The rows of one item. Text has a unit for each block, so that finished ones need not wait. */
export function itemUnits(item: Item, scene: Scene): Unit[] {
  if (item.kind === "text") return textUnits(item, scene);
  return [{ kind: item.kind, lines: itemLines(item, scene), final: item.final }];
}

function textUnits(item: TextItem, scene: Scene): Unit[] {
  const blocks = item.tail.trim() === "" ? item.blocks : [...item.blocks, item.tail];
  const last = item.blocks.length;
  return blocks.map((block, i) => ({
    kind: "text",
    lines: markdownLines(block, scene).map((row) => (item.superseded ? row.map(dimmed) : row)),
    final: item.final || i < last,
  }));
}

function dimmed(one: Line[number]): Line[number] {
  return { ...one, styles: ["dim"] };
}

const TONES: Readonly<Record<string, Style>> = { calm: "dim", warning: "yellow", bad: "red" };

function itemLines(item: Exclude<Item, TextItem>, scene: Scene): Line[] {
  const { width, now } = scene;
  switch (item.kind) {
    case "said":
      return saidLines(item, width);
    case "thinking":
      return thinkingLines(item.text, item.final, scene);
    case "tool":
      return callRow(item, width, now);
    case "question":
      return item.row === undefined
        ? [line(`◆ ${item.tool} asks …`, "yellow")]
        : questionCard(item.row, width);
    case "decided":
      return decidedLines(item, width);
    case "end":
      return endLines(item, width);
    case "note":
      return wrap([span(item.text, TONES[item.tone] ?? "dim")], width, {
        first: [span("· ", "dim")],
        rest: [span("  ")],
      });
    case "tasks":
      return taskLines(item.tasks, width, item.tasks.length);
  }
}

function saidLines({ text, how }: SaidItem, width: number): Line[] {
  const mark = how === "steer" ? "↪ " : "› ";
  return text
    .split("\n")
    .flatMap((row, i) =>
      wrap([span(row, "bold")], width, { first: [span(i === 0 ? mark : "  ", "cyan")], rest: [span("  ")] }),
    );
}

function thinkingLines(text: string, final: boolean, { width, thinking }: Scene): Line[] {
  const size = `${text.length} characters`;
  const head = final ? `∴ thought, ${size}` : `∴ thinking … ${size}`;
  if (!thinking) return [line(`${head}${width < 50 ? "" : " · Ctrl-T shows it"}`, "dim")];
  return [line(head, "dim"), ...thoughtLines(text, width)];
}

/** What was thought, whole. */
export function thoughtLines(text: string, width: number): Line[] {
  return text
    .trim()
    .split("\n")
    .flatMap((row) => wrap([span(row, "dim", "italic")], width, { first: [span("  ")] }));
}

const DECISIONS: Readonly<Record<string, readonly [string, Style]>> = {
  approved: ["✓", "green"],
  edited: ["✎", "green"],
  denied: ["⊘", "yellow"],
  expired: ["⊘", "dim"],
};

function decidedLines(item: DecidedItem, width: number): Line[] {
  const { decision, tool, actor, note, scope, answer } = item;
  const [glyph, style] = DECISIONS[decision] ?? ["·", "dim"];
  const reach = scope === undefined ? "" : ` for ${scope}`;
  const why = note === undefined || note === "" ? "" : `: ${note}`;
  // An answer can be that it is given up: it is not called a yes.
  const what = answer === undefined ? decision : `answered ${answer}`;
  return wrap([span(`${glyph} ${tool} ${what}`, style), span(` by ${actor}${reach}${why}`, "dim")], width, {
    first: [],
    rest: [span("  ")],
  });
}

function endLines({ status, reason, elapsed }: EndItem, width: number): Line[] {
  const took = duration(elapsed);
  if (status === "completed") return [line(`─ done in ${took}`, "dim")];
  const why = reason === undefined ? "" : `: ${reason}`;
  const style = status === "failed" ? "red" : "yellow";
  return wrap([span(`─ ${status} after ${took}${why}`, style)], width);
}
