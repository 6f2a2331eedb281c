import { existsSync } from "node:fs";
import { copyFile, rm, stat, utimes } from "node:fs/promises";
import { type Git, GitError, type GitPlace } from "./run.ts";

/** From a copy of somebody's index, so that only what changed is read; from the commit where that cannot be. */
export async function seedIndex(
  git: Git,
  place: GitPlace & { readonly index: string },
  theirs: string,
  head: string | null,
): Promise<void> {
  try {
    if (!existsSync(theirs)) throw new GitError("There is none.");
    await copyIndex(theirs, place.index);
    await git(["ls-files", "--stage", "-z"], place);
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    await rm(place.index, { force: true });
    await git(head === null ? ["read-tree", "--empty"] : ["read-tree", head], place);
  }
}

/**
 * With its age: by that git knows which files may have been changed in the moment in which it was written. Never younger,
 * not by a part of a millisecond: such files would count as unchanged.
 */
export async function copyIndex(theirs: string, index: string): Promise<void> {
  const { mtimeNs } = await stat(theirs, { bigint: true });
  await copyFile(theirs, index);
  const seconds = Number(mtimeNs / 1_000_000n) / 1_000;
  await utimes(index, seconds, seconds);
}
