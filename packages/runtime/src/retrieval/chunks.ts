/** Lines of a file, counted from 1. */
export interface Chunk {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

const LINES = 40;
const CHARS = 3_000;
/** So that what lies on a border is found whole in one of the two. */
const OVERLAP = 4;
/** A chunk rather ends at an empty line, if one comes after so many lines. */
const FEWEST = 24;
/** Of a line: what follows is data. */
export const LINE_CHARS = 1_000;

/** A text in pieces that are told as they are. */
export function chunksOf(text: string): readonly Chunk[] {
  const lines = text.split("\n").map((line) => line.slice(0, LINE_CHARS));
  if (lines.at(-1) === "") lines.pop();
  const chunks: Chunk[] = [];
  for (let from = 0; from < lines.length;) {
    const to = endOf(lines, from);
    chunks.push({ start: from + 1, end: to, text: lines.slice(from, to).join("\n") });
    if (to >= lines.length) break;
    from = Math.max(from + 1, to - OVERLAP);
  }
  return chunks;
}

function endOf(lines: readonly string[], from: number): number {
  let chars = 0;
  let empty: number | undefined;
  for (let at = from; at < lines.length; at++) {
    chars += (lines[at] as string).length + 1;
    if (at > from && (at - from >= LINES || chars > CHARS)) return empty ?? at;
    if (at - from >= FEWEST && (lines[at] as string).trim() === "") empty = at + 1;
  }
  return lines.length;
}
