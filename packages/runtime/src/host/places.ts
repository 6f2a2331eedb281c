import { lstatSync, readlinkSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, isAbsolute, join } from "node:path";
import type { Place, Places } from "../ports/places.ts";

/** As many links as the kernel follows. */
const MOST_LINKS = 40;

/**
 * Places of this machine. Synchronous: a look takes a few microseconds, and less than a trip to another thread.
 */
export const places: Places = {
  find(path) {
    try {
      return found(path, MOST_LINKS);
    } catch {
      return undefined;
    }
  },
};

function found(path: string, links: number): Place {
  if (links === 0) throw new Error("Too many links.");
  try {
    const real = realpathSync.native(path);
    const stats = statSync(real);
    return { real, kind: stats.isFile() ? "file" : stats.isDirectory() ? "directory" : "other" };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
  const parent = found(dirname(path), links);
  if (parent.kind !== "directory" && parent.kind !== "nothing") throw new Error("Not a directory.");
  const here = join(parent.real, basename(path));
  // A link to nothing: whoever writes there makes its target.
  if (parent.kind === "directory" && isLink(here)) {
    const target = readlinkSync(here);
    // Not joined by `path`: it would take `link/..` for nothing, and the kernel does not.
    return found(isAbsolute(target) ? target : `${parent.real}/${target}`, links - 1);
  }
  return { real: here, kind: "nothing" };
}

function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
}
