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

/** So many snapshots may be added before a store is measured again, where it cannot be full by then: it may have many files. */
const UNMEASURED = 8;

interface Measured {
  readonly bytes: number;
  grown: number;
  /** What was added at a time, as it was last seen. */
  readonly each: number | undefined;
}

export function createStoreBound(mostBytes: number, ownOf: (id: string) => string): StoreBound {
  const measured = new Map<string, Measured>();

  function measure(id: string, before: Measured | undefined): Measured {
    const bytes = sizeOf(ownOf(id));
    const each = before && Math.max(0, bytes - before.bytes) / Math.max(1, before.grown);
    const found = { bytes, grown: 0, each };
    measured.set(id, found);
    return found;
  }

  /** Twice what it grew by before is reckoned with. */
  function isFresh({ bytes, grown, each }: Measured): boolean {
    if (grown === 0) return true;
    return each !== undefined && grown < UNMEASURED && bytes + 2 * grown * each < mostBytes;
  }

  return {
    isFull(id) {
      const known = measured.get(id);
      return (known !== undefined && isFresh(known) ? known : measure(id, known)).bytes >= mostBytes;
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
