import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";

/** Tells when a store has come to more than it may. */
export interface StoreBound {
  isFull(id: string): boolean;
  /** Says that something was added. */
  grew(id: string): void;
  /** Says that something was taken away. */
  shrank(id: string): void;
}

/** So many snapshots may be added to a store that is not nearly full before it is measured again: it may have many files. */
const UNMEASURED = 8;
const NEARLY = 0.75;

export function createStoreBound(mostBytes: number, ownOf: (id: string) => string): StoreBound {
  const measured = new Map<string, { bytes: number; grown: number }>();

  function measure(id: string): { bytes: number; grown: number } {
    const found = { bytes: sizeOf(ownOf(id)), grown: 0 };
    measured.set(id, found);
    return found;
  }

  return {
    isFull(id) {
      const known = measured.get(id);
      const fresh =
        known !== undefined &&
        (known.grown === 0 || (known.grown < UNMEASURED && known.bytes < mostBytes * NEARLY));
      return (fresh ? known : measure(id)).bytes >= mostBytes;
    },
    grew(id) {
      const known = measured.get(id);
      if (known !== undefined) known.grown += 1;
    },
    shrank: (id) => void measured.delete(id),
  };
}

function sizeOf(dir: string): number {
  let bytes = 0;
  for (const entry of readdirSync(dir, { withFileTypes: true, recursive: true }))
    // What is gone by now takes no room.
    if (entry.isFile())
      bytes += statSync(join(entry.parentPath, entry.name), { throwIfNoEntry: false })?.size ?? 0;
  return bytes;
}
