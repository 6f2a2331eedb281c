import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isAlive } from "../alive.ts";
import type { HeldFile } from "./files.ts";

/** Copies of files that only this user can read, made for one run. */
export interface Copies {
  /** In the order of the files. */
  readonly paths: readonly string[];
  remove(): void;
}

/** Written in one go: no other process can be started meanwhile that would hold a program open for writing. */
export function copiesOf(files: readonly HeldFile[], directory: string): Copies {
  if (files.length === 0) return { paths: [], remove() {} };
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const own = mkdtempSync(join(directory, `${process.pid}-`));
  const remove = () => rmSync(own, { recursive: true, force: true });
  try {
    chmodSync(own, 0o700);
    // A module that ends in .js is one of today's, wherever this lies.
    writeFileSync(join(own, "package.json"), '{"type":"module"}', { mode: 0o400 });
    const paths = files.map(({ name, content }, i) => {
      mkdirSync(join(own, String(i)), { mode: 0o700 });
      const path = join(own, String(i), name);
      writeFileSync(path, content, { flag: "wx", mode: 0o500 });
      return path;
    });
    return { paths, remove };
  } catch (error) {
    remove();
    throw error;
  }
}

/** Takes away what processes that are gone have left behind. */
export function tidy(directory: string): void {
  let names: readonly string[];
  try {
    names = readdirSync(directory);
  } catch {
    return;
  }
  for (const name of names) {
    const pid = Number(/^(\d+)-/.exec(name)?.[1] ?? Number.NaN);
    if (Number.isInteger(pid) && !isAlive(pid))
      rmSync(join(directory, name), { recursive: true, force: true });
  }
}
