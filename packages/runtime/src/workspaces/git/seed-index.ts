import { existsSync } from "node:fs";
import { copyFile, rm } from "node:fs/promises";
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
    await copyFile(theirs, place.index);
    await git(["ls-files", "--stage", "-z"], place);
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    await rm(place.index, { force: true });
    await git(head === null ? ["read-tree", "--empty"] : ["read-tree", head], place);
  }
}
