import { existsSync } from "node:fs";
import { copyFile, mkdir, open, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type Git, type GitPlace, line, names } from "./run.ts";
import type { OwnPlace } from "./own-store.ts";

/**
 * Puts the objects of commits where others look for them: the commits, their trees, and the contents, as far as they are
 * in this store itself. What they go on from is not: that is in the user's repository. A commit comes after all it names,
 * and all of it is on the disk when this returns, so that a branch can point to it.
 */
export async function copyCommits(
  git: Git,
  from: OwnPlace,
  to: string,
  commits: readonly string[],
): Promise<void> {
  for (const commit of new Set(commits)) {
    const tree = await line(git, ["rev-parse", `${commit}^{tree}`], from);
    const inner = await objectsBelow(git, from, tree);
    const touched = new Set<string>();
    for (const object of [...inner.toReversed(), tree]) await copyObject(from.objects, to, object, touched);
    await syncAll(touched);
    const last = new Set<string>();
    await copyObject(from.objects, to, commit, last);
    await syncAll(last);
  }
}

async function objectsBelow(git: Git, place: GitPlace, tree: string): Promise<readonly string[]> {
  const said = names(await git(["ls-tree", "-r", "-t", "-z", tree], place));
  // Mode, type and object, then a tab and the path.
  return [...new Set(said.map((text) => text.slice(0, text.indexOf("\t")).split(" ")[2] ?? ""))];
}

/** An object that is not its own file here is the repository's. Objects are what their name says, so one that is there is it. */
async function copyObject(from: string, to: string, object: string, touched: Set<string>): Promise<void> {
  const way = join(object.slice(0, 2), object.slice(2));
  const place = join(to, way);
  if (existsSync(place) || !existsSync(join(from, way))) return;
  const dir = dirname(place);
  if ((await mkdir(dir, { recursive: true })) !== undefined) touched.add(to);
  const draft = join(dir, `tmp_obj_${object.slice(2, 14)}${process.pid}`);
  try {
    await copyFile(join(from, way), draft);
    await sync(draft);
    await rename(draft, place);
    touched.add(dir);
  } finally {
    await rm(draft, { force: true });
  }
}

/** Names are in directories, which have to be on the disk too. */
async function syncAll(dirs: ReadonlySet<string>): Promise<void> {
  for (const dir of dirs) await sync(dir);
}

async function sync(path: string): Promise<void> {
  const file = await open(path, "r");
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}
