import { existsSync } from "node:fs";
import { readFile, rename, rm, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import type { Place } from "./enter.ts";
import { type Head, headOf } from "./head.ts";
import { headIn } from "./head-files.ts";
import type { Repository } from "./repository.ts";
import { type Git, GitError, joined, names } from "./run.ts";
import { seenFile } from "./seen.ts";
import { copyIndex } from "./seed-index.ts";

/** What a private index has, which is what the checkout stands on and nothing else. */
export interface AtHead {
  /** Null before the first commit. */
  readonly head: Head | null;
  readonly files: number;
  /** Submodules. */
  readonly links: readonly string[];
  /** Whether the commit says anything about how files are stored. */
  readonly attributes: boolean;
}

const GITLINK = "160000";

/**
 * Brings the index to the commit that the checkout stands on, with what git knows of sizes and times and nothing else:
 * neither what is staged, nor which files the user has git not look at. So whatever a look leaves out is as committed.
 */
export async function indexAtHead(git: Git, place: Place, repository: Repository): Promise<AtHead> {
  const file = `${place.index}.json`;
  const known = await knownIn(file);
  const now = headIn(repository.gitDir, repository.common);
  if (known !== undefined && now !== undefined && known.head?.commit === now && existsSync(place.index))
    return known;
  const head = (await headOf(git, repository.top)) ?? null;
  if (known !== undefined && known.head?.commit === head?.commit && existsSync(place.index)) return known;
  await rm(file, { force: true });
  await seed(git, place, repository, head);
  const found = await entriesOf(git, place);
  for (const [flag, paths] of [
    ["--no-assume-unchanged", found.assumed],
    ["--no-skip-worktree", found.skipped],
  ] as const)
    if (paths.length > 0)
      await git(["update-index", "-z", flag, "--stdin"], { ...place, input: joined(paths) });
  // So that what was committed is not read with every look.
  await git(["update-index", "-q", "--refresh"], { ...place, codes: [1] });
  const { files, links, attributes } = found;
  const atHead = { head, files, links, attributes };
  await writeFile(`${file}.new`, JSON.stringify(atHead));
  await rename(`${file}.new`, file);
  return atHead;
}

/** Forgets all that is known, so that the next look begins anew. */
export async function dropIndex(index: string): Promise<void> {
  for (const file of [index, `${index}.lock`, `${index}.json`, seenFile(index)])
    await rm(file, { force: true });
}

async function knownIn(file: string): Promise<AtHead | undefined> {
  try {
    return JSON.parse(await readFile(file, "utf8")) as AtHead;
  } catch {
    return undefined;
  }
}

async function seed(git: Git, place: Place, { gitDir }: Repository, head: Head | null): Promise<void> {
  const fresh = head === null ? ["read-tree", "--empty"] : ["read-tree", head.commit];
  const theirs = join(gitDir, "index");
  try {
    if (!existsSync(place.index) && existsSync(theirs)) await copyIndex(theirs, place.index);
    await git(head === null ? fresh : ["read-tree", "--reset", head.commit], place);
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    await rm(place.index, { force: true });
    await git(fresh, place);
  }
}

async function entriesOf(git: Git, place: Place) {
  const said = names(await git(["ls-files", "-v", "--stage", "-z"], place));
  const links: string[] = [];
  const assumed: string[] = [];
  const skipped: string[] = [];
  let attributes = false;
  for (const text of said) {
    const path = text.slice(text.indexOf("\t") + 1);
    const tag = text.charAt(0);
    if (tag !== tag.toUpperCase()) assumed.push(path);
    if (tag.toUpperCase() === "S") skipped.push(path);
    if (text.startsWith(GITLINK, 2)) links.push(path);
    if (basename(path) === ".gitattributes") attributes = true;
  }
  return { files: said.length, links, attributes, assumed, skipped };
}
