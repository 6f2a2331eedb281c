import type { Line, Span } from "./span.ts";
import { lineWidth } from "./span.ts";
import { fitting, textWidth } from "./width.ts";

interface Margins {
  /** Before the first row. */
  readonly first?: Line;
  /** Before each further row. */
  readonly rest?: Line;
}

const LEAST = 8;

/** Rows no wider than this, broken between words; a word that is too long is broken where the row ends. */
export function wrap(spans: Line, width: number, { first = [], rest = first }: Margins = {}): Line[] {
  const rows: Span[][] = [];
  let row: Span[] = [...first];
  let left = room(width, first);
  let empty = true;
  const next = (): void => {
    rows.push(trimmed(row));
    row = [...rest];
    left = room(width, rest);
    empty = true;
  };
  for (const { text, styles } of words(spans)) {
    if (empty && rows.length > 0 && text.trim() === "") continue;
    if (textWidth(text) > left && !empty && text.trim() !== "") next();
    let remaining = text;
    while (textWidth(remaining) > left) {
      // A character wider than the row is taken all the same: this must end.
      const part = fitting(remaining, left) || remaining.slice(0, 1);
      row.push({ text: part, styles });
      remaining = remaining.slice(part.length);
      next();
      if (remaining.trim() === "") remaining = "";
    }
    if (remaining === "") continue;
    row.push({ text: remaining, styles });
    left -= textWidth(remaining);
    empty = false;
  }
  if (!empty || rows.length === 0) rows.push(trimmed(row));
  return rows.map(joined);
}

function room(width: number, margin: Line): number {
  return Math.max(LEAST, width - lineWidth(margin));
}

/** Words and the space between them, apart; pieces of one word that look different stay where they are. */
function words(spans: Line): Span[] {
  return spans.flatMap(({ text, styles }) =>
    text.split(/(?<=\s)(?=\S)|(?<=\S)(?=\s)/).map((part) => ({ text: part, styles })),
  );
}

function trimmed(row: Span[]): Span[] {
  const end = row.findLastIndex(({ text }) => text.trim() !== "");
  return row.slice(0, end + 1).map((one, i) => (i === end ? { ...one, text: one.text.trimEnd() } : one));
}

/** Neighbours that look the same, as one. */
function joined(row: readonly Span[]): Line {
  const out: Span[] = [];
  for (const one of row) {
    const last = out.at(-1);
    if (last !== undefined && last.styles.join() === one.styles.join())
      out[out.length - 1] = { ...last, text: last.text + one.text };
    else out.push(one);
  }
  return out;
}
