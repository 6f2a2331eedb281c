import { accessSync, constants, statSync } from "node:fs";
import { delimiter, isAbsolute, join, relative, sep } from "node:path";

/** The program, along PATH; not where the project could have put one of its own. */
export function findGit(path: string | undefined, notIn: string): string | undefined {
  for (const directory of (path ?? "").split(delimiter)) {
    if (!isAbsolute(directory) || liesIn(notIn, directory)) continue;
    const program = join(directory, "git");
    try {
      accessSync(program, constants.X_OK);
      if (statSync(program).isFile()) return program;
    } catch {
      // Not here.
    }
  }
  return undefined;
}

export function liesIn(outer: string, inner: string): boolean {
  const way = relative(outer, inner);
  return way === "" || !(way === ".." || way.startsWith(`..${sep}`) || isAbsolute(way));
}
