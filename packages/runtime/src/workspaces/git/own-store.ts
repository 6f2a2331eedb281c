import { existsSync, readFileSync, statSync } from "node:fs";
import { copyFile, mkdir, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { copyRules, makePrivateDir, type Repository } from "./repository.ts";
import { type Git, GitError, type GitPlace, line, names } from "./run.ts";
import type { PrivatePlace } from "./worktree.ts";

/** Where snapshots are kept apart from the user's repository: index, configuration and objects are all ours. */
export function ownPlace(own: string): PrivatePlace {
  const gitDir = join(own, "git");
  return { gitDir, objects: join(gitDir, "objects"), index: join(own, "index") };
}

/** What the repository has is read there, and never written. */
export async function makeOwnStore(
  git: Git,
  dir: string,
  repository: Repository,
  excludes: string | undefined,
): Promise<void> {
  const theirs = join(repository.common, "objects");
  // One line a directory, of which some beginnings mean something else.
  if (/\n|^["#]/.test(theirs)) throw new GitError("The name of its directory cannot be written down.");
  await makePrivateDir(git, dir, repository, excludes);
  await mkdir(join(dir, "objects", "info"), { recursive: true, mode: 0o700 });
  await writeFile(join(dir, "objects", "info", "alternates"), `${theirs}\n`);
}

/**
 * The same for a checkout that is looked at again and again: what the user has set or has git ignore since is in it. Where
 * no file of theirs changed, no git is asked. Files that their configuration includes are not followed for that.
 */
export async function refreshOwnStore(
  git: Git,
  dir: string,
  repository: Repository,
  { excludes, configs }: { readonly excludes: () => string | undefined; readonly configs: readonly string[] },
): Promise<void> {
  const { common, gitDir } = repository;
  const theirs = [join(common, "config"), join(gitDir, "config.worktree"), ...configs];
  const stamps = JSON.stringify(theirs.map(stampOf));
  const file = join(dir, "made-from");
  const isWhole = ["HEAD", "config", "refs", "info", "objects"].every((name) => existsSync(join(dir, name)));
  if (isWhole && textOf(file) === stamps) return copyRules(dir, common);
  await makeOwnStore(git, dir, repository, excludes());
  await writeFile(file, stamps);
}

function stampOf(file: string): string {
  const stats = statSync(file, { throwIfNoEntry: false });
  return stats === undefined ? "" : [stats.ino, stats.size, stats.mtimeMs, stats.ctimeMs].join(" ");
}

function textOf(file: string): string | undefined {
  return existsSync(file) ? readFileSync(file, "utf8") : undefined;
}

/**
 * Puts the objects of commits where others look for them: the commits, their trees, and the contents, as far as they are
 * in this store itself. What they go on from is not: that is in the user's repository. A commit comes after all it names.
 */
export async function copyCommits(
  git: Git,
  from: PrivatePlace,
  to: string,
  commits: readonly string[],
): Promise<void> {
  for (const commit of new Set(commits)) {
    const tree = await line(git, ["rev-parse", `${commit}^{tree}`], from);
    const inner = await objectsBelow(git, from, tree);
    for (const object of [...inner.toReversed(), tree, commit]) await copyObject(from.objects, to, object);
  }
}

async function objectsBelow(git: Git, place: GitPlace, tree: string): Promise<readonly string[]> {
  const said = names(await git(["ls-tree", "-r", "-t", "-z", tree], place));
  // Mode, type and object, then a tab and the path.
  return [...new Set(said.map((text) => text.slice(0, text.indexOf("\t")).split(" ")[2] ?? ""))];
}

/** An object that is not its own file here is the repository's. Objects are what their name says, so one that is there is it. */
async function copyObject(from: string, to: string, object: string): Promise<void> {
  const way = join(object.slice(0, 2), object.slice(2));
  const place = join(to, way);
  if (existsSync(place) || !existsSync(join(from, way))) return;
  await mkdir(dirname(place), { recursive: true });
  const draft = join(dirname(place), `tmp_obj_${object.slice(2, 14)}${process.pid}`);
  try {
    await copyFile(join(from, way), draft);
    await rename(draft, place);
  } finally {
    await rm(draft, { force: true });
  }
}
