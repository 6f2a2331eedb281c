import type { Tokens } from "marked";
import { inlineSpans } from "./inline.ts";
import type { Look } from "./markdown.ts";
import { BLANK, type Line, line, lineWidth, type Span, span } from "./span.ts";
import { wrap } from "./wrap.ts";

const GAP = 3;
const LEAST = 6;

/** Columns side by side while each has room for a word; else one row of the table after another, cell by cell. */
export function tableLines({ header, rows, align }: Tokens.Table, look: Look): Line[] {
  const cells = (row: readonly Tokens.TableCell[], bold: boolean): Span[][] =>
    row.map(({ tokens }) => inlineSpans(tokens, !look.colour, bold ? ["bold"] : []));
  const head = cells(header, true);
  const body = rows.map((row) => cells(row, false));
  const natural = head.map((_, i) => Math.max(1, ...[head, ...body].map((row) => lineWidth(row[i] ?? []))));
  const widths = squeezed(natural, look.width - GAP * (natural.length - 1));
  if (widths === undefined) return stacked(head, body, look);
  const laid = (row: readonly Span[][]): Line[] => sideBySide(row, widths, align);
  const rule = line(widths.map((width) => "─".repeat(width)).join("─┼─"), "dim");
  return [...laid(head), rule, ...body.flatMap(laid)];
}

/** The widest give way first. Undefined: there is no room for all. */
function squeezed(natural: readonly number[], room: number): number[] | undefined {
  const widths = [...natural];
  for (let over = widths.reduce((sum, width) => sum + width, 0) - room; over > 0; over--) {
    const most = widths.indexOf(Math.max(...widths));
    const width = widths[most] ?? 0;
    if (width <= LEAST) return undefined;
    widths[most] = width - 1;
  }
  return widths;
}

function sideBySide(
  row: readonly Span[][],
  widths: readonly number[],
  align: readonly (string | null)[],
): Line[] {
  const columns = widths.map((width, i) => wrap(row[i] ?? [], Math.max(width, 1)));
  const height = Math.max(...columns.map(({ length }) => length));
  return Array.from({ length: height }, (_, n) =>
    columns.flatMap((rows, i) => {
      const cell = rows[n] ?? [];
      const free = span(" ".repeat(Math.max(0, (widths[i] ?? 0) - lineWidth(cell))));
      const filled = align[i] === "right" ? [free, ...cell] : [...cell, free];
      return i === 0 ? filled : [span(" │ ", "dim"), ...filled];
    }),
  );
}

function stacked(head: readonly Span[][], body: readonly Span[][][], { width }: Look): Line[] {
  return body.flatMap((row, n) => [
    ...(n === 0 ? [] : [BLANK]),
    ...row.flatMap((cell, i) =>
      wrap([...(head[i] ?? []), span(": "), ...cell], width, { first: [], rest: [span("  ")] }),
    ),
  ]);
}
