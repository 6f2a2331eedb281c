import { rm } from "node:fs/promises";
import type { WorkspaceLimits } from "../limits.ts";
import { isMadeAgain, mayBeSecret } from "../never-kept.ts";
import { enter, filteredOf, type Place } from "./enter.ts";
import { notesOn } from "./notes.ts";
import { type Git, GitError, joined, line, names } from "./run.ts";
import { unstageSecrets } from "./unstage.ts";
import { isFile, type Left, readable, sorted } from "./working-tree.ts";

export interface Staged {
  /** The tree object that has the files. */
  readonly tree: string;
  readonly notes: readonly string[];
}

export interface StageOptions {
  readonly limits: WorkspaceLimits;
  readonly isLeft: Left;
  /**
   * Of the user's checkout, and what it stands on: leaves out changes of what may be secret, and of files that a filter keeps
   * otherwise, which are not there as git stores them.
   */
  readonly theirs?: { readonly head: string | null };
}

const GITLINK = "160000";

/**
 * Brings a private index up to what is in the working tree, and writes it as a tree. By plumbing alone: what is staged is
 * said by us, path by path, so that nothing is entered that should not be. Only what changed since is read again.
 */
export async function stage(
  git: Git,
  place: Place,
  { limits, isLeft, theirs }: StageOptions,
): Promise<Staged> {
  const unstaged = theirs === undefined ? [] : await unstageSecrets(git, place, theirs.head);
  const [tracked, differing, listed] = await Promise.all([
    git(["ls-files", "--stage", "-z"], place).then((said) => names(said).map(entry)),
    git(["diff-files", "--name-status", "--no-renames", "--ignore-submodules=all", "-z"], place).then(names),
    git(["ls-files", "--others", "--exclude-standard", "-z"], place).then(names),
  ]);
  const links = new Set(tracked.filter(({ mode }) => mode === GITLINK).map(({ path }) => path));
  const held = theirs === undefined ? [] : [...differing, ...listed].filter(isHeld);
  const secret = new Set([...unstaged, ...held]);
  const changed = changes(differing, place.workTree, new Set([...links, ...secret]));
  const others = listed.filter((path) => !secret.has(path));
  const found = sorted(others, place.workTree, limits, isLeft, { files: 0, paths: [] });

  if (changed.gone.length > 0)
    await git(["update-index", "-z", "--force-remove", "--stdin"], {
      ...place,
      input: joined(changed.gone),
    });
  const entering = [...changed.kept, ...found.files];
  const filtered = theirs === undefined ? new Set<string>() : await filteredOf(git, place, entering);
  const plain = entering.filter((path) => !filtered.has(path));
  const missed = await enter(git, place, plain);
  return {
    tree: await line(git, ["write-tree"], place),
    notes: notesOn({
      submodules: links,
      nested: found.nested,
      large: found.large,
      missed,
      secret: [...secret].filter((path) => !isMadeAgain(readable(path))),
    }),
  };
}

/** Of a place of ours: where our index cannot be read, from the last snapshot. */
export async function stageAgain(
  git: Git,
  place: Place,
  last: string,
  options: StageOptions,
): Promise<Staged> {
  await rm(`${place.index}.lock`, { force: true });
  try {
    return await stage(git, place, options);
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    await rm(place.index, { force: true });
    await git(["read-tree", last], place);
    return stage(git, place, options);
  }
}

function isHeld(path: string): boolean {
  return mayBeSecret(readable(path));
}

function entry(text: string): { readonly mode: string; readonly path: string } {
  const tab = text.indexOf("\t");
  return { mode: text.slice(0, 6), path: text.slice(tab + 1) };
}

/** Of what is tracked: what is other than the index has it, as far as its size and times tell. */
export function changes(said: readonly string[], workTree: string, links: ReadonlySet<string>) {
  const gone = new Set<string>();
  const kept = new Set<string>();
  for (let i = 0; i + 1 < said.length; i += 2) {
    const [status, path = ""] = [said[i], said[i + 1]];
    if (links.has(path)) continue;
    if (status === "D" || (status === "U" && !isFile(workTree, path))) gone.add(path);
    else kept.add(path);
  }
  return { gone: [...gone], kept: [...kept].filter((path) => !gone.has(path)) };
}
