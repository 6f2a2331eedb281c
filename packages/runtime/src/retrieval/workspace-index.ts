import type { Clock } from "../ports/clock.ts";
import type { WalkEntry, WorkspaceFiles } from "../ports/workspace-files.ts";
import { createBm25 } from "./bm25.ts";
import { chunksOf } from "./chunks.ts";
import { decoded } from "./decoded.ts";
import { FILE_BYTES, MOST_CHARS, MOST_ENTRIES } from "./limits.ts";
import { terms } from "./terms.ts";

/** Where a chunk is. */
export interface Spot {
  readonly path: string;
  readonly start: number;
  readonly end: number;
}

export interface Found extends Spot {
  readonly score: number;
}

export interface WorkspaceIndex {
  /** Brings it up to what the files are now. Only what changed is read. */
  refresh(): Promise<void>;
  search(terms: readonly string[]): Iterable<Found>;
  readonly files: number;
  readonly chunks: number;
  readonly complete: boolean;
}

interface Known {
  /** Empty: may have changed again since, without a new stamp. */
  readonly stamp: string;
  readonly chunks: readonly number[];
  readonly chars: number;
  /** There was no room for it. */
  readonly left?: boolean;
}

/** Other work gets its turn after so many characters. */
const AT_ONCE = 128 * 1024;
/** File systems count time in steps; a change this close to a look may not show in the stamp. */
const STEP_MS = 50;

/** Kept in memory only: making it anew takes about as long as reading it from a disk would. */
export function createWorkspaceIndex(
  workspace: string,
  { files, clock }: { readonly files: Pick<WorkspaceFiles, "walk">; readonly clock: Clock },
): WorkspaceIndex {
  const known = new Map<string, Known>();
  let spots: (Spot | undefined)[] = [];
  let index = createBm25();
  let chars = 0;
  let indexed = 0;
  let complete = true;
  const never = new AbortController().signal;

  function forget(path: string): void {
    const file = known.get(path);
    if (file === undefined) return;
    known.delete(path);
    chars -= file.chars;
    for (const chunk of file.chunks) {
      index.drop(chunk);
      spots[chunk] = undefined;
    }
  }

  /** How many characters that were. */
  function learn(entry: WalkEntry): number {
    forget(entry.path);
    const stamp = clock.now() - entry.changedAt < STEP_MS ? "" : entry.stamp;
    // With a second name it may be a file of elsewhere, and nobody asked for it by name.
    const passed = entry.names > 1 || entry.bytes > FILE_BYTES;
    const bytes = passed ? undefined : entry.read(FILE_BYTES);
    const text = bytes === undefined ? undefined : decoded(bytes);
    const left = text !== undefined && chars + text.length > MOST_CHARS;
    if (text === undefined || left) {
      known.set(entry.path, { stamp, chunks: [], chars: 0, left });
      return 0;
    }
    const named = terms(entry.path);
    const chunks = chunksOf(text).map(({ start, end, text: part }) => {
      const chunk = index.add(terms(part), named);
      spots[chunk] = { path: entry.path, start, end };
      return chunk;
    });
    known.set(entry.path, { stamp, chunks, chars: text.length });
    chars += text.length;
    return text.length;
  }

  async function look(): Promise<void> {
    complete = true;
    const gone = new Set(known.keys());
    let [looked, learned] = [0, 0];
    for await (const entry of files.walk({ workspace, path: "" }, { signal: never })) {
      if (++looked > MOST_ENTRIES) {
        complete = false;
        break;
      }
      if (entry.type !== "file") continue;
      gone.delete(entry.path);
      const before = known.get(entry.path);
      if (before !== undefined && before.stamp !== "" && before.stamp === entry.stamp) continue;
      learned += learn(entry);
      if (learned < AT_ONCE) continue;
      learned = 0;
      await new Promise<void>((resolve) => void setImmediate(resolve));
    }
    for (const path of gone) forget(path);
    indexed = 0;
    for (const { chunks, left } of known.values()) {
      if (chunks.length > 0) indexed += 1;
      if (left === true) complete = false;
    }
  }

  return {
    async refresh() {
      if (index.worn) {
        known.clear();
        [index, spots, chars] = [createBm25(), [], 0];
      }
      await look();
    },
    *search(sought) {
      for (const [chunk, score] of index.search(sought)) {
        const spot = spots[chunk];
        if (spot !== undefined) yield { ...spot, score };
      }
    },
    get files() {
      return indexed;
    },
    get chunks() {
      return index.size;
    },
    get complete() {
      return complete;
    },
  };
}
