import type { QuestionRow } from "@fairlead/contract";
import { diffLines } from "./diff.ts";
import { BLANK, type Line, line, span, type Style } from "./span.ts";
import { wrap } from "./wrap.ts";

const RISK_STYLES: Readonly<Record<string, Style[]>> = {
  low: ["green"],
  medium: ["yellow"],
  high: ["red"],
  critical: ["red", "bold"],
};

/** So much of a diff or of arguments is shown at once. What was left out is said, and `d` shows it. */
const MOST = 60;

/** What a person needs to decide: what, why, how dangerous, and exactly what would happen. */
export function questionCard(row: QuestionRow, width: number): Line[] {
  const body = bodyLines(row, width);
  const hidden = body.length - MOST;
  const more: Line[] =
    hidden > 0 ? [line(`▏ … ${hidden} more lines: press d to see them before you decide.`, "yellow")] : [];
  return [...heading(row, width), ...body.slice(0, MOST), ...more];
}

/** All of it, with what else is known. */
export function questionDetails(row: QuestionRow, width: number): Line[] {
  const facts: [string, string | null | undefined][] = [
    ["id", row.request_id],
    ["session", row.session_id],
    ["asked by", row.asked_by],
    ["because of", row.origin],
    ["expires", row.expires_at],
    ["pattern", row.pattern],
  ];
  const { diff } = parts(row.shown);
  return [
    ...heading(row, width),
    ...facts.flatMap(([name, value]) =>
      value == null ? [] : wrap([span(`${name}: `, "dim"), span(value)], width, { first: [span("  ")] }),
    ),
    ...jsonLines(argumentsOf(row), width),
    ...(diff === undefined ? [] : [BLANK, ...diffLines(diff, width)]),
  ];
}

function heading(row: QuestionRow, width: number): Line[] {
  const risk = row.risk === null ? [] : [span(` · risk ${row.risk}`, ...(RISK_STYLES[row.risk] ?? []))];
  const what = row.kind === "approval" ? `${row.tool_name} asks for a yes` : `${row.tool_name} asks`;
  return [
    ...wrap([span("◆ ", "yellow"), span(what, "bold"), ...risk], width, { first: [], rest: [span("  ")] }),
    ...wrap([span(row.reason)], width, { first: [span("  ")] }),
  ];
}

function bodyLines(row: QuestionRow, width: number): Line[] {
  const { diff } = parts(row.shown);
  if (diff === undefined) return jsonLines(argumentsOf(row), width);
  const same: Line[] = diff.includes("\n@@") ? [] : [line("▏ The file would stay as it is.", "dim")];
  return [...diffLines(diff, width), ...same];
}

/** Text is shown with its line breaks: that is how it will be run. */
function jsonLines(value: unknown, width: number): Line[] {
  if (value === undefined || value === null) return [];
  const entries = typeof value === "object" && !Array.isArray(value) ? Object.entries(value) : [["", value]];
  return entries.flatMap(([name, one]) => {
    const text = typeof one === "string" ? one : JSON.stringify(one, null, 2);
    const [first = "", ...rest] = text.split("\n");
    const label = name === "" ? [] : [span(`${String(name)}: `, "cyan")];
    const bar = [span("▏ ", "dim")];
    return [
      ...wrap([...label, span(first)], width, { first: bar }),
      ...rest.flatMap((row) => wrap([span(row)], width, { first: [...bar, span("  ")] })),
    ];
  });
}

/** What the call would be made with; all that is shown where that is no call. */
export function argumentsOf({ shown }: QuestionRow): unknown {
  return isObject(shown) && "arguments" in shown ? shown["arguments"] : shown;
}

function parts(shown: unknown): { readonly diff?: string } {
  return isObject(shown) && typeof shown["diff"] === "string" ? { diff: shown["diff"] } : {};
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
