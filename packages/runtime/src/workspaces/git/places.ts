import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { RecordedRepository } from "../record.ts";
import type { Git } from "./run.ts";
import type { PrivatePlace } from "./worktree.ts";

/** Our index and configuration, with the repository's objects. */
export function placeOf(own: string, { common }: Pick<RecordedRepository, "common">): PrivatePlace {
  return { gitDir: join(own, "git"), objects: join(common, "objects"), index: join(own, "index") };
}

/** Keeps every snapshot of a workspace: each is a commit on the one before. Out of the way of branches and tags. */
function pinOf(id: string): string {
  return `refs/fairlead/${id}`;
}

export async function pin(git: Git, common: string, id: string, commit: string): Promise<void> {
  // Only whoever drives the session moves it, so a lock that is there was left by a process that was killed.
  await rm(join(common, `${pinOf(id)}.lock`), { force: true });
  await git(["update-ref", "--no-deref", pinOf(id), commit], { gitDir: common });
}

export async function unpin(git: Git, common: string, id: string): Promise<void> {
  await rm(join(common, `${pinOf(id)}.lock`), { force: true });
  await git(["update-ref", "--no-deref", "-d", pinOf(id)], { gitDir: common });
}

/** Whether the commit is one of the workspace's snapshots. */
export async function isPinned(git: Git, common: string, id: string, commit: string): Promise<boolean> {
  if (!/^[0-9a-f]{40,64}$/.test(commit)) return false;
  const asked = ["merge-base", "--is-ancestor", commit, pinOf(id)];
  // 128: one of them is not there.
  const { code } = await git(asked, { gitDir: common, codes: [1, 128] });
  return code === 0;
}

export function commitOf(ref: string): string {
  return ref.replace(/^git:/, "");
}
