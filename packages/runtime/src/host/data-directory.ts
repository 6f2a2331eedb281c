import { statSync } from "node:fs";
import { ConfigError } from "./config-error.ts";

/** What is wrong with a data directory that is there, and the command that mends it. */
export interface LooseDirectory {
  readonly problem: string;
  readonly mend: string;
}

/**
 * Throws ConfigError when other users could change the log; says so when they could only look at it.
 * Undefined: all is well, or there is no such directory yet, and then it is made for its owner only.
 */
export function looseDirectory(path: string): LooseDirectory | undefined {
  const stats = statSync(path, { throwIfNoEntry: false });
  // Windows has no such modes; there the profile directory keeps others out.
  if (stats === undefined || process.getuid === undefined) return undefined;
  const mode = stats.mode & 0o777;
  const mend = `Close it: chmod 700 ${path}`;
  if ((mode & 0o022) !== 0)
    throw new ConfigError(`Other users can write to ${path} (mode ${mode.toString(8)}).`, mend);
  if ((mode & 0o055) === 0) return undefined;
  return { problem: `Other users can look into ${path} (mode ${mode.toString(8)}).`, mend };
}
