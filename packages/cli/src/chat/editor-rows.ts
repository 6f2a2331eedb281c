import type { Editor } from "./editor.ts";
import { type Line, lineWidth, type Span, span } from "./span.ts";
import { charactersOf, textWidth } from "./width.ts";

export interface Cursor {
  readonly row: number;
  readonly column: number;
}

const MOST = 8;

/** What is written, broken at the edge of the screen, and where the cursor stands in it. */
export function editorRows(
  { text, cursor }: Editor,
  prompt: Line,
  width: number,
): { readonly rows: readonly Line[]; readonly cursor: Cursor } {
  const indent = lineWidth(prompt);
  const rows: string[] = [""];
  let column = indent;
  let place: Cursor = { row: 0, column: indent };
  let offset = 0;
  const wrapped = (): void => {
    rows.push("");
    column = indent;
  };
  for (const character of charactersOf(text)) {
    if (offset === cursor) place = { row: rows.length - 1, column };
    offset += character.length;
    if (character === "\n") {
      wrapped();
      continue;
    }
    const { text: shown } = span(character);
    if (column + textWidth(shown) > width) wrapped();
    rows[rows.length - 1] += shown;
    column += textWidth(shown);
  }
  if (cursor >= text.length) {
    if (column >= width) wrapped();
    place = { row: rows.length - 1, column };
  }
  const from = Math.max(0, Math.min(place.row - MOST + 1, rows.length - MOST));
  const margin: Span = span(" ".repeat(indent));
  return {
    rows: rows.slice(from, from + MOST).map((row, i) => [...(i + from === 0 ? prompt : [margin]), span(row)]),
    cursor: { row: place.row - from, column: place.column },
  };
}
