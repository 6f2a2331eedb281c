export interface DiffLine {
  readonly kind: "same" | "added" | "removed";
  readonly before: number | null;
  readonly after: number | null;
  readonly text: string;
}

export interface DiffHunk {
  readonly title: string;
  readonly lines: readonly DiffLine[];
}

export interface Diff {
  readonly before: string;
  readonly after: string;
  readonly hunks: readonly DiffHunk[];
  readonly added: number;
  readonly removed: number;
}

const HUNK = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/;

/** Reads a unified diff of one file. What it does not know is shown as a line that stays. */
export function parseDiff(text: string): Diff {
  let names = { before: "", after: "" };
  const hunks: { title: string; lines: DiffLine[] }[] = [];
  let before = 0;
  let after = 0;
  for (const line of text.replace(/\n$/, "").split("\n")) {
    const start = HUNK.exec(line);
    if (start !== null) {
      before = Number(start[1]);
      after = Number(start[2]);
      hunks.push({ title: line, lines: [] });
      continue;
    }
    const hunk = hunks.at(-1);
    if (hunk === undefined) {
      if (line.startsWith("--- ")) names = { ...names, before: line.slice(4) };
      if (line.startsWith("+++ ")) names = { ...names, after: line.slice(4) };
    } else if (line.startsWith("+"))
      hunk.lines.push({ kind: "added", before: null, after: after++, text: line.slice(1) });
    else if (line.startsWith("-"))
      hunk.lines.push({ kind: "removed", before: before++, after: null, text: line.slice(1) });
    else if (!line.startsWith("\\"))
      hunk.lines.push({ kind: "same", before: before++, after: after++, text: line.slice(1) });
  }
  const all = hunks.flatMap(({ lines }) => lines);
  const count = (kind: DiffLine["kind"]): number => all.filter((line) => line.kind === kind).length;
  return { ...names, hunks, added: count("added"), removed: count("removed") };
}

export interface Pair {
  readonly left: DiffLine | null;
  readonly right: DiffLine | null;
}

/** Side by side: what was taken away stands beside what came for it. */
export function pairs(lines: readonly DiffLine[]): readonly Pair[] {
  const rows: Pair[] = [];
  let removed: DiffLine[] = [];
  let added: DiffLine[] = [];
  function flush(): void {
    for (let i = 0; i < Math.max(removed.length, added.length); i++)
      rows.push({ left: removed[i] ?? null, right: added[i] ?? null });
    removed = [];
    added = [];
  }
  for (const line of lines) {
    if (line.kind === "removed") removed.push(line);
    else if (line.kind === "added") added.push(line);
    else {
      flush();
      rows.push({ left: line, right: line });
    }
  }
  flush();
  return rows;
}
