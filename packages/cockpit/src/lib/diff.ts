export interface DiffLine {
  /** A `note` is no line of a file: what the diff says of one, or what cannot be read as one. */
  readonly kind: "same" | "added" | "removed" | "note";
  readonly before: number | null;
  readonly after: number | null;
  readonly text: string;
}

export interface DiffHunk {
  readonly title: string;
  readonly lines: readonly DiffLine[];
}

/** The change of one file. */
export interface FileDiff {
  /** Empty where the diff names none. */
  readonly before: string;
  readonly after: string;
  /** What is said of the file besides its lines: that it is binary, that it was moved. */
  readonly notes: readonly string[];
  readonly hunks: readonly DiffHunk[];
  readonly added: number;
  readonly removed: number;
}

const HUNK = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;
const GIT = "diff --git ";
/** Says which stored files are compared, and nothing that a person reads. */
const STORED = /^(?:index [0-9a-f]+\.\.[0-9a-f]+(?: \d+)?|=+)$/;

interface OpenFile {
  /** Git said its names already; they are said again before its lines. */
  readonly git: boolean;
  before: string;
  after: string;
  readonly notes: string[];
  readonly hunks: { readonly title: string; readonly lines: DiffLine[] }[];
}

/** Reads a unified diff, of one file or of many. What it cannot read is kept as a note: nothing is left out. */
export function parseDiff(text: string): readonly FileDiff[] {
  const lines = text.replace(/\n$/, "").split("\n");
  const files: OpenFile[] = [];
  const at = { before: 0, after: 0, leftBefore: 0, leftAfter: 0 };
  const begin = (names?: Names): OpenFile => {
    const file = { before: "", after: "", ...names, git: names !== undefined, notes: [], hunks: [] };
    files.push(file);
    return file;
  };

  for (let i = 0; i < lines.length; i++) {
    const line = lines[i]!;
    const next = lines[i + 1] ?? "";
    const file = files.at(-1);
    const hunk = file?.hunks.at(-1);
    // Within a hunk, a line that looks like a header is a line.
    const within = hunk !== undefined && (at.leftBefore > 0 || at.leftAfter > 0);
    const start = HUNK.exec(line);
    if (start !== null) {
      Object.assign(at, { before: Number(start[1]), after: Number(start[3]) });
      Object.assign(at, { leftBefore: Number(start[2] ?? 1), leftAfter: Number(start[4] ?? 1) });
      (file ?? begin()).hunks.push({ title: line, lines: [] });
    } else if (line.startsWith(GIT)) begin(gitNames(line.slice(GIT.length)));
    else if (!within && line.startsWith("--- ") && next.startsWith("+++ ")) {
      const same = file?.git === true && file.hunks.length === 0 ? file : begin();
      same.before = nameIn(line);
      same.after = nameIn(next);
      i += 1;
    } else if (hunk !== undefined) hunk.lines.push(lineOf(line, at));
    else if (line !== "" && !STORED.test(line)) (file ?? begin()).notes.push(line);
  }
  return files.map(counted);
}

interface Place {
  before: number;
  after: number;
  leftBefore: number;
  leftAfter: number;
}

function lineOf(line: string, at: Place): DiffLine {
  const text = line.slice(1);
  const sign = line[0] ?? " ";
  if (sign === "+") {
    at.leftAfter -= 1;
    return { kind: "added", before: null, after: at.after++, text };
  }
  if (sign === "-") {
    at.leftBefore -= 1;
    return { kind: "removed", before: at.before++, after: null, text };
  }
  if (sign !== " ") return { kind: "note", before: null, after: null, text: line };
  at.leftBefore -= 1;
  at.leftAfter -= 1;
  return { kind: "same", before: at.before++, after: at.after++, text };
}

export type Names = Pick<FileDiff, "before" | "after">;

/** Two names with a space between, which they may have as well: without a move they are equally long. */
function gitNames(both: string): Names {
  const half = (both.length - 1) / 2;
  const [before, after] = [both.slice(0, half), both.slice(half + 1)];
  return bare(before) === bare(after) ? { before, after } : { before: "", after: both };
}

/** Git ends a name that has a space with a tab. */
const nameIn = (header: string): string => header.slice(4).replace(/\t$/, "");

function counted({ git: _, ...file }: OpenFile): FileDiff {
  const all = file.hunks.flatMap(({ lines }) => lines);
  const count = (kind: DiffLine["kind"]): number => all.filter((line) => line.kind === kind).length;
  return { ...file, added: count("added"), removed: count("removed") };
}

/** Without the side that it is of. */
export const bare = (name: string): string => name.replace(/^[ab]\//, "");
