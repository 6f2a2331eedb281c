import { RE2JS } from "re2js";
import type { WalkEntry } from "../ports/workspace-files.ts";
import { CHUNK_CHARS, CHUNKS, SEARCHED_BYTES } from "./limits.ts";
import { decodeText } from "./text.ts";

/** Other work gets its turn after so many characters: an expression can take a thousand steps for each. */
const AT_ONCE = 50_000;
/** An expression looks no further into a line. */
const LONGEST_LINE = 20_000;

interface Chunk {
  readonly path: string;
  readonly line: number;
  readonly text: string;
}

export interface Found {
  chunks: Chunk[];
  /** How many were read. */
  files: number;
  /** Too large, or no text. */
  skipped: number;
  truncated: boolean;
}

/** Where in a line it is found; -1 when it is not. */
export type Find = (line: string) => number;

export function matcher(query: string, regex: boolean): Find {
  if (regex) {
    const compiled = RE2JS.compile(query);
    return (line) => {
      const match = compiled.matcher(line.slice(0, LONGEST_LINE));
      return match.find() ? match.start() : -1;
    };
  }
  const sought = query.toLowerCase();
  return (line) => line.toLowerCase().indexOf(sought);
}

/** Adds what is found in one file. */
export async function searchFile(
  entry: Pick<WalkEntry, "path" | "read">,
  find: Find,
  found: Found,
  signal: AbortSignal,
): Promise<void> {
  const bytes = entry.read(SEARCHED_BYTES);
  const text = bytes === undefined ? undefined : decodeText(bytes);
  if (text === undefined) {
    found.skipped++;
    return;
  }
  found.files++;
  let looked = 0;
  for (const [i, line] of text.split("\n").entries()) {
    looked += line.length;
    if (looked > AT_ONCE) {
      looked = 0;
      await new Promise<void>((resolve) => void setImmediate(resolve));
      signal.throwIfAborted();
    }
    const at = find(line);
    if (at === -1) continue;
    if (found.chunks.length === CHUNKS) {
      found.truncated = true;
      return;
    }
    found.chunks.push({ path: entry.path, line: i + 1, text: around(line, at) });
  }
}

/** The part of a long line that has the match. */
function around(line: string, at: number): string {
  if (line.length <= CHUNK_CHARS) return line.trimEnd();
  const start = Math.max(0, Math.min(at - CHUNK_CHARS / 4, line.length - CHUNK_CHARS));
  const part = line
    .slice(start, start + CHUNK_CHARS)
    .trimEnd()
    .toWellFormed();
  return `${start > 0 ? "…" : ""}${part}${start + CHUNK_CHARS < line.length ? "…" : ""}`;
}
