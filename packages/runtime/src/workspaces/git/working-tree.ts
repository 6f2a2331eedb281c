import { accessSync, constants, lstatSync, readFileSync } from "node:fs";
import { FairleadError } from "@fairlead/contract";
import type { WorkspaceLimits } from "../limits.ts";

/** Places that must never be in a snapshot, as absolute paths. */
export type Left = (absolute: string) => boolean;

export interface Untracked {
  readonly files: readonly string[];
  readonly nested: readonly string[];
  readonly large: readonly string[];
}

/** Names are one character a byte here, as they need not be UTF-8. */
export function readable(path: string): string {
  return Buffer.from(path, "latin1").toString("utf8");
}

export function at(workTree: string, path: string): Buffer {
  return Buffer.concat([Buffer.from(`${workTree}/`), Buffer.from(path, "latin1")]);
}

/**
 * What nobody told git about. A repository in it is a directory to git, whose files are not ours to take. Throws
 * workspace_too_large, also for what is `counted` already.
 */
export function sorted(
  others: readonly string[],
  workTree: string,
  limits: WorkspaceLimits,
  isLeft: Left,
  counted: { readonly files: number; readonly paths: readonly string[] },
): Untracked {
  const files: string[] = [];
  const nested: string[] = [];
  const large: string[] = [];
  let total = 0;
  for (const path of counted.paths)
    total += lstatSync(at(workTree, path), { throwIfNoEntry: false })?.size ?? 0;
  for (const path of others) {
    const absolute = at(workTree, path);
    if (isLeft(absolute.toString("utf8"))) continue;
    if (path.endsWith("/")) {
      nested.push(path);
      continue;
    }
    const stats = lstatSync(absolute, { throwIfNoEntry: false });
    if (stats === undefined) continue;
    if (stats.size > limits.fileBytes) {
      large.push(path);
      continue;
    }
    total += stats.size;
    files.push(path);
  }
  const count = files.length + counted.files;
  if (total > limits.totalBytes || count > limits.files)
    throw new FairleadError("workspace_too_large", {
      details: { bytes: total, files: count, most_bytes: limits.totalBytes, most_files: limits.files },
    });
  return { files, nested, large };
}

export function isFile(workTree: string, path: string): boolean {
  const stats = lstatSync(at(workTree, path), { throwIfNoEntry: false });
  return stats !== undefined && (stats.isFile() || stats.isSymbolicLink());
}

export function isReadable(workTree: string, path: string): boolean {
  try {
    const place = at(workTree, path);
    const stats = lstatSync(place);
    if (!stats.isSymbolicLink()) accessSync(place, constants.R_OK);
    // A pipe or a socket in the place of a file has no content.
    return stats.isSymbolicLink() || stats.isFile();
  } catch (error) {
    // What is gone is taken out of the index, which can be done.
    return (error as NodeJS.ErrnoException).code === "ENOENT";
  }
}

/** Somebody waits: a larger file is not read to know. */
const READ_BYTES = 1024 * 1024;

export function mayHaveCrLf(workTree: string, path: string): boolean {
  const place = at(workTree, path);
  const stats = lstatSync(place, { throwIfNoEntry: false });
  if (stats === undefined || !stats.isFile()) return false;
  if (stats.size > READ_BYTES || !isReadable(workTree, path)) return true;
  return readFileSync(place).includes("\r\n");
}
