import { lstatSync, readdirSync, type Stats } from "node:fs";
import { join } from "node:path";

/** A directory of ours has few files with names worth a link; more than this is not searched but refused. */
const MOST = 20_000;

/**
 * Whether one of these directories has another name of the same file, but for what is no secret in them. Fails closed.
 */
export function isLinkedFrom(
  { hidden, open = [] }: { readonly hidden: readonly string[]; readonly open?: readonly string[] },
  { dev, ino }: Stats,
): boolean {
  let seen = 0;
  const queue = [...hidden];
  for (let path = queue.pop(); path !== undefined; path = queue.pop()) {
    if (open.includes(path)) continue;
    if (++seen > MOST) return true;
    try {
      const stats = lstatSync(path);
      if (stats.isDirectory()) for (const name of readdirSync(path)) queue.push(join(path, name));
      else if (stats.dev === dev && stats.ino === ino) return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") return true;
    }
  }
  return false;
}
