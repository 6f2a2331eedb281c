// Tab and line break stay. An agent's text must not move the cursor, set the title or answer for the terminal.
// oxlint-disable-next-line no-control-regex
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** Text from elsewhere, made safe to show. */
export function printable(text: string): string {
  return text.replaceAll(CONTROLS, (char) => (char === "\r" ? "" : "\ufffd"));
}

/** The same on one line, no longer than this. */
export function oneLine(text: string, most: number): string {
  const line = printable(text).replaceAll(/\s+/g, " ").trim();
  return line.length <= most ? line : `${line.slice(0, Math.max(0, most - 1))}…`;
}

/** Columns as wide as they must be; the last is cut at the edge of the terminal. */
export function table(rows: readonly (readonly string[])[], columns: number): string {
  const widths = (rows[0] ?? []).map((_, i) => Math.max(...rows.map((row) => row[i]?.length ?? 0)));
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
