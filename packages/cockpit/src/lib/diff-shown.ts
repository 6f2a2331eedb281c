import { bare, type DiffLine, type FileDiff, type Names } from "./diff.ts";

const NONE = "/dev/null";

/** What a file is called; both names, where it was moved. */
export function fileName({ before, after }: Names): string {
  const [from, to] = [bare(before), bare(after)];
  if (from === to || before === NONE || before === "") return to;
  return after === NONE ? from : `${from} → ${to}`;
}

/** What is to be said of a file without lines, where the diff itself says nothing. */
export function withoutLines({ before, after, notes }: FileDiff): string | null {
  if (notes.length > 0) return null;
  if (before === NONE) return "A new file, with nothing in it.";
  return after === NONE ? "An empty file would be taken away." : "The file would stay as it is.";
}

/** Whether every file's change can be read from its lines alone. */
export function isByLine(files: readonly FileDiff[]): boolean {
  return files.every(({ hunks, notes }) => hunks.length > 0 && notes.length === 0);
}

export function lineCount(files: readonly FileDiff[]): number {
  const hunks = files.flatMap((file) => file.hunks);
  return hunks.reduce((sum, { lines }) => sum + lines.length, 0);
}

/** The first lines of all hunks together; hunks of which nothing is left are not there. */
export function firstLines(files: readonly FileDiff[], most: number): readonly FileDiff[] {
  let left = most;
  return files.map((file) => ({
    ...file,
    hunks: file.hunks.flatMap((hunk) => {
      const lines = hunk.lines.slice(0, left);
      left -= lines.length;
      return lines.length === 0 ? [] : [{ ...hunk, lines }];
    }),
  }));
}

export interface Pair {
  readonly left: DiffLine | null;
  readonly right: DiffLine | null;
}

/** Side by side: what was taken away stands beside what came for it, and a note beside the line that it is about. */
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
  let last: DiffLine | undefined;
  for (const line of lines) {
    const side = line.kind === "note" ? last?.kind : line.kind;
    if (side === "removed") removed.push(line);
    else if (side === "added") added.push(line);
    else {
      flush();
      rows.push({ left: line, right: line });
    }
    if (line.kind !== "note") last = line;
  }
  flush();
  return rows;
}
