import { replaceHidden } from "@fairlead/contract/visible";

/**
 * Text from elsewhere, made safe to show: it must not move the cursor, set the title, answer for the terminal or hide
 * what it says.
 */
export function printable(text: string): string {
  return replaceHidden(text.replaceAll("\r", ""), () => "\ufffd");
}

/** The same on one line, no longer than this. */
export function oneLine(text: string, most: number): string {
  const line = printable(text).replaceAll(/\s+/g, " ").trim();
  return line.length <= most ? line : `${line.slice(0, Math.max(0, most - 1))}…`;
}

const LEAST_LAST = 20;
const GAP = 2;

/**
 * Columns as wide as they must be; the last is cut at the edge of the terminal. Where that would leave
 * too little of it, each row goes on in further lines, and cells stay whole to be copied.
 */
export function table(rows: readonly (readonly string[])[], columns: number): string {
  const widths = (rows[0] ?? []).map((_, i) => Math.max(...rows.map((row) => row[i]?.length ?? 0)));
  const head = widths.slice(0, -1).reduce((sum, width) => sum + width + GAP, 0);
  if (columns - head < Math.min(LEAST_LAST, widths.at(-1) ?? 0))
    return rows.map((row) => folded(row, columns)).join("\n");
  return rows
    .map((row) => {
      const cells = row.map((cell, i) => (i === row.length - 1 ? cell : cell.padEnd(widths[i] ?? 0)));
      return oneEdge(cells.join("  "), columns);
    })
    .join("\n");
}

function oneEdge(line: string, columns: number): string {
  const text = line.trimEnd();
  return text.length <= columns ? text : `${text.slice(0, columns - 1)}…`;
}

/** One row in as many lines as it needs; the last cell, which is text, has one of its own. */
function folded(row: readonly string[], columns: number): string {
  const lines = [""];
  for (const [i, cell] of row.entries()) {
    if (cell === "") continue;
    const line = lines.at(-1) ?? "";
    const joined = line.trim() === "" ? `${line}${cell}` : `${line}${" ".repeat(GAP)}${cell}`;
    const own = i === row.length - 1 && line !== "";
    if (own || (joined.length > columns && line !== "")) lines.push(`${" ".repeat(GAP)}${cell}`);
    else lines[lines.length - 1] = joined;
  }
  return lines.map((line) => wordEdge(line, columns)).join("\n");
}

/** Cut between two words, where there are two. */
function wordEdge(line: string, columns: number): string {
  if (line.length <= columns) return line;
  const cut = line.slice(0, columns - 1);
  const space = cut.lastIndexOf(" ");
  return space > columns / 2 ? `${cut.slice(0, space)} …` : `${cut}…`;
}
