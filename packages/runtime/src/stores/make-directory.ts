import { existsSync, mkdirSync } from "node:fs";
import { dirname } from "node:path";

/** Makes it and what is missing above it, for the owner only. Step by step: Node's recursive way never ends on a path like /proc/x. */
export function makeDirectory(path: string): void {
  if (existsSync(path)) return;
  const parent = dirname(path);
  if (parent !== path) makeDirectory(parent);
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
}
