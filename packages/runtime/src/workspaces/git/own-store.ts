import { existsSync, readFileSync, statSync } from "node:fs";
import { mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { copyRules, makePrivateDir, type Repository } from "./repository.ts";
import { type Git, GitError } from "./run.ts";
import type { PrivatePlace } from "./worktree.ts";

/**
 * Where snapshots are kept apart from the user's repository: index, configuration and objects are all ours. What the
 * repository has is read there, and never written.
 */
export type OwnPlace = PrivatePlace & { readonly alternates: readonly string[] };

export function ownPlace(own: string, { common }: { readonly common: string }): OwnPlace {
  const gitDir = join(own, "git");
  const objects = join(gitDir, "objects");
  return { gitDir, objects, alternates: [join(common, "objects")], index: join(own, "index") };
}

/** For a place whose files are as the repository stores them, a line on top of its rules: `$Id$` is not filled in. */
const AS_STORED = "\n* -ident\n";

/** A store for us. `asStored`: for files that are written by us. */
export async function makeOwnStore(
  git: Git,
  dir: string,
  repository: Repository,
  { excludes, asStored = false }: { readonly excludes: string | undefined; readonly asStored?: boolean },
): Promise<void> {
  demandPlain(repository);
  await makePrivateDir(git, dir, repository, excludes);
  if (asStored) await writeFile(join(dir, "info", "attributes"), AS_STORED, { flag: "a" });
}

/** A repository for others, who find the user's objects by it. */
export async function makeClone(
  git: Git,
  dir: string,
  repository: Repository,
  excludes: string | undefined,
): Promise<void> {
  await makeOwnStore(git, dir, repository, { excludes, asStored: true });
  await mkdir(join(dir, "objects", "info"), { recursive: true, mode: 0o700 });
  await writeFile(join(dir, "objects", "info", "alternates"), `${join(repository.common, "objects")}\n`);
}

/** One line a directory is how it is written down for others, and some beginnings mean something else. */
function demandPlain({ common }: Repository): void {
  if (/\n|^["#]/.test(common)) throw new GitError("The name of its directory cannot be written down.");
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
  await makeOwnStore(git, dir, repository, { excludes: excludes() });
  await writeFile(file, stamps);
}

/** What git leaves of objects that it was killed while it wrote. */
export async function dropDrafts(objects: string): Promise<void> {
  for (const name of await namesIn(objects)) {
    if (name.startsWith("tmp_obj")) await rm(join(objects, name), { recursive: true, force: true });
    if (name.length !== 2) continue;
    for (const inner of await namesIn(join(objects, name)))
      if (inner.startsWith("tmp_obj")) await rm(join(objects, name, inner), { force: true });
  }
}

function namesIn(dir: string): Promise<readonly string[]> {
  return readdir(dir).catch(() => []);
}

function stampOf(file: string): string {
  const stats = statSync(file, { throwIfNoEntry: false });
  return stats === undefined ? "" : [stats.ino, stats.size, stats.mtimeMs, stats.ctimeMs].join(" ");
}

function textOf(file: string): string | undefined {
  return existsSync(file) ? readFileSync(file, "utf8") : undefined;
}
