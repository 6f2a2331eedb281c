import { rm } from "node:fs/promises";
import { basename, join } from "node:path";
import type { Git } from "./run.ts";

export interface Worktree {
  /** What all worktrees of the repository share. */
  readonly common: string;
  readonly path: string;
}

/** Where the repository keeps what it knows of a worktree. */
export function ownDir({ common, path }: Worktree): string {
  return join(common, "worktrees", basename(path));
}

/** Registers it at a commit, without its files: those are written by a git that runs nothing of the repository's. */
export async function addWorktree(git: Git, worktree: Worktree, commit: string): Promise<void> {
  await dropWorktree(worktree);
  const add = ["worktree", "add", "--quiet", "--detach", "--no-checkout", worktree.path, commit];
  await git(add, { gitDir: worktree.common });
}

/**
 * Takes the directory and its registration away, also what is left of one that was never finished: a process that was
 * killed leaves a registration that git itself holds to be locked. It has the name of an id of ours, so it is nobody else's.
 */
export async function dropWorktree(worktree: Worktree): Promise<void> {
  await rm(worktree.path, { recursive: true, force: true });
  await rm(ownDir(worktree), { recursive: true, force: true });
}

export interface PrivatePlace {
  readonly gitDir: string;
  readonly objects: string;
  readonly index: string;
}

/** Writes the files of a commit. The index is ours; the worktree's own says what it began with. */
export async function fillWorktree(
  git: Git,
  place: PrivatePlace,
  worktree: Worktree,
  { files, base }: { readonly files: string; readonly base: string },
): Promise<void> {
  await rm(place.index, { force: true });
  await git(["read-tree", "--reset", "-u", files], { ...place, workTree: worktree.path });
  const own = join(ownDir(worktree), "index");
  await git(["read-tree", base], { ...place, index: own, workTree: worktree.path });
  // So that the first look at it need not read every file.
  await git(["update-index", "-q", "--refresh"], {
    ...place,
    index: own,
    workTree: worktree.path,
    codes: [1],
  });
}
