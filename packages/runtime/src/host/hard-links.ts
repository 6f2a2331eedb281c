import { lstatSync, readdirSync, type Stats } from "node:fs";
import { join } from "node:path";

/** Profiles of browsers have many files. What has more than this is not searched but refused. */
const MOST = 200_000;
/** A look is used again this long: a directory that was moved meanwhile leaves no trace in its files. */
const GOOD_MS = 10_000;
/** Clocks of file systems lag behind ours. */
const LAG_MS = 1_000;
const MOST_SCANS = 8;

interface Guarded {
  readonly hidden: readonly string[];
  readonly open?: readonly string[];
}

interface Scan {
  readonly at: number;
  /** Files with further names. Undefined: not all could be seen. */
  readonly linked: ReadonlySet<string> | undefined;
}

const scans = new Map<string, Scan>();

/**
 * Whether one of these places has another name of the same file, but for what is no secret in them, and for what is
 * in the workspace itself. Fails closed.
 */
export function isLinkedFrom({ hidden, open = [] }: Guarded, root: string, stats: Stats): boolean {
  const left = new Set([...open, root]);
  const key = JSON.stringify([hidden, [...left]]);
  let scan = scans.get(key);
  // A new name changes the file's ctime, so a look from after that has seen it.
  if (scan === undefined || Date.now() - scan.at > GOOD_MS || stats.ctimeMs + LAG_MS > scan.at) {
    scan = { at: Date.now(), linked: scanned(hidden, left) };
    scans.delete(key);
    scans.set(key, scan);
    for (const old of [...scans.keys()].slice(0, -MOST_SCANS)) scans.delete(old);
  }
  return scan.linked?.has(idOf(stats)) ?? true;
}

function scanned(hidden: readonly string[], left: ReadonlySet<string>): ReadonlySet<string> | undefined {
  const linked = new Set<string>();
  const queue = [...hidden];
  let seen = 0;
  for (let path = queue.pop(); path !== undefined; path = queue.pop()) {
    if (left.has(path)) continue;
    if (++seen > MOST) return undefined;
    try {
      const stats = lstatSync(path);
      if (stats.isDirectory()) for (const name of readdirSync(path)) queue.push(join(path, name));
      else if (stats.nlink > 1) linked.add(idOf(stats));
    } catch (error) {
      // What this user cannot open, such as what root left in a home, this user gave no other name.
      if (!["ENOENT", "ENOTDIR", "EACCES"].includes((error as NodeJS.ErrnoException).code ?? ""))
        return undefined;
    }
  }
  return linked;
}

function idOf({ dev, ino }: Stats): string {
  return `${dev}:${ino}`;
}
