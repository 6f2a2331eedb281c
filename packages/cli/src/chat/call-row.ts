import type { ToolItem, ToolState } from "./items.ts";
import { type Line, line, lineWidth, span, type Style } from "./span.ts";
import { cut } from "./width.ts";
import { wrap } from "./wrap.ts";

interface Sign {
  readonly glyph: string;
  readonly word: string;
  readonly style: Style;
}

/** A glyph and a word: neither colour nor shape alone has to be told apart. */
const SIGNS: Readonly<Record<ToolState, Sign>> = {
  running: { glyph: "●", word: "running", style: "yellow" },
  ok: { glyph: "✓", word: "ok", style: "green" },
  artifact: { glyph: "✓", word: "kept", style: "green" },
  error: { glyph: "✗", word: "failed", style: "red" },
  timeout: { glyph: "✗", word: "timed out", style: "red" },
  invalid: { glyph: "✗", word: "not run", style: "red" },
  denied: { glyph: "⊘", word: "denied", style: "yellow" },
  lost: { glyph: "?", word: "stopped", style: "yellow" },
};

/** How the call stands, what it is called with, how long it took; what went wrong below. */
export function callRow(item: ToolItem, width: number, now: number): Line[] {
  const { glyph, word, style } = SIGNS[item.state];
  // What never ran took no time.
  const took = item.state === "invalid" ? "" : ` ${duration(item.elapsed ?? now - item.since)}`;
  const time = span(took, "dim");
  const head = [span(`${glyph} `, style), span(item.name, "bold"), span(" ")];
  const tail = [span(` ${word}`, style), time];
  const room = width - lineWidth(head) - lineWidth(tail);
  const args = shortArguments(item.args);
  const error = item.state === "ok" || item.error === undefined ? [] : errorLines(item.error, width);
  // Too narrow for both: how it stands goes before what it was called with.
  if (args === "" || room < 6) return [[...head.slice(0, 2), ...tail], ...error];
  return [[...head, span(cut(args, room)), ...tail], ...error];
}

/** What a call is known by: its values, the ones that say where and what first. */
function shortArguments(args: Readonly<Record<string, unknown>>): string {
  const first = ["command", "path", "url", "query", "pattern"].filter((name) => Object.hasOwn(args, name));
  // Whole texts, such as a file's new content, are not what a call is known by.
  const rest = Object.keys(args).filter((name) => !first.includes(name) && !isLong(args[name]));
  return [...first, ...rest]
    .map((name) => {
      const value = args[name];
      const text = typeof value === "string" ? value : JSON.stringify(value);
      return first[0] === name ? text : `${name}=${text}`;
    })
    .join(" ")
    .replaceAll(/\s+/g, " ")
    .slice(0, 500);
}

function isLong(value: unknown): boolean {
  return typeof value === "string" && (value.includes("\n") || value.length > 80);
}

const MOST_ERROR = 3;

function errorLines(error: string, width: number): Line[] {
  const first = error.split("\n", 1)[0] ?? "";
  const rows = wrap([span(first, "red")], width, { first: [span("  ")] });
  return rows.length <= MOST_ERROR ? rows : [...rows.slice(0, MOST_ERROR), line("  …", "red")];
}

export function duration(ms: number): string {
  if (ms < 1_000) return `${Math.max(0, Math.round(ms))} ms`;
  if (ms < 60_000) return `${(ms / 1_000).toFixed(1)} s`;
  return `${Math.floor(ms / 60_000)} min ${Math.floor((ms % 60_000) / 1_000)} s`;
}
