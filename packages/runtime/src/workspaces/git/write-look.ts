import { copyFile, rm } from "node:fs/promises";
import { enter, type Place } from "./enter.ts";
import type { OwnPlace } from "./own-store.ts";
import { ownTrees } from "./own-trees.ts";
import { type Git, joined, line, names } from "./run.ts";
import { type Entry, recall } from "./seen.ts";
import { mayHaveCrLf } from "./working-tree.ts";

export type LookPlace = Place & OwnPlace;

export interface Differences {
  readonly gone: readonly string[];
  readonly entering: readonly string[];
  /** Whether ends of lines may be stored otherwise than they are in the files. */
  readonly converts: boolean;
}

/** The index that a look writes into. It is there after a look that was cut off. */
export function scratchOf({ index }: Place): string {
  return `${index}.look`;
}

/** What is committed, with these differences, as a tree. Of files that are as they were at the last look nothing is read. */
export async function writeLook(
  git: Git,
  place: LookPlace,
  committed: string | undefined,
  { gone, entering, converts }: Differences,
): Promise<{ readonly tree: string; readonly missed: readonly string[] }> {
  if (committed !== undefined && gone.length + entering.length === 0) return { tree: committed, missed: [] };
  const scratch = { ...place, index: scratchOf(place) };
  await copyFile(place.index, scratch.index);
  // What a conversion makes of a file depends on more than the file.
  const seen = converts ? undefined : await recall(place, scratch.index, { gone, entering }, committed);
  const known = seen?.known ?? new Map<string, Entry>();
  const fresh = entering.filter((path) => !known.has(path));
  let tree = seen?.tree;
  let missed: readonly string[] = [];
  if (tree === undefined) {
    await setEntries(
      git,
      scratch,
      gone.map((path) => takenOut(path, committed)),
      known,
    );
    missed = await enterApart(git, scratch, fresh, converts);
    const made = seen === undefined || fresh.length === 0 ? [] : entriesOf(git, scratch, committed, fresh);
    // Of what is known it was looked whether it is there, which takes git longer than all else.
    const write = ["write-tree", ...(seen === undefined ? [] : ["--missing-ok"])];
    const [written, entries] = await Promise.all([line(git, write, scratch), made]);
    await ownTrees(git, place, committed, written);
    await seen?.keep(written, entries, missed.length === 0);
    tree = written;
  }
  // Only now: by it the next look knows that this one was cut off.
  await rm(scratch.index, { force: true });
  return { tree, missed };
}

/** Any name of an object, as long as names are in this repository, and no mode. Nothing can be gone where nothing is committed. */
function takenOut(path: string, committed = ""): string {
  return `0 ${"0".repeat(committed.length)}\t${path}`;
}

async function setEntries(
  git: Git,
  place: LookPlace,
  gone: readonly string[],
  known: ReadonlyMap<string, Entry>,
): Promise<void> {
  if (gone.length + known.size === 0) return;
  const lines = [...gone, ...[...known].map(([path, { mode, object }]) => `${mode} ${object} 0\t${path}`)];
  await git(["update-index", "-z", "--index-info"], { ...place, input: joined(lines) });
}

/**
 * Without the repository's objects in sight: git would not write what is there, which the user may have dropped tomorrow,
 * and would mark it as used. Only where a file has the line ends that git may convert is the committed one looked at.
 */
async function enterApart(
  git: Git,
  place: LookPlace,
  paths: readonly string[],
  converts: boolean,
): Promise<readonly string[]> {
  const { alternates: _theirs, ...apart } = place;
  const mixed = new Set(converts ? paths.filter((path) => mayHaveCrLf(place.workTree, path)) : []);
  const missed = await enter(
    git,
    apart,
    paths.filter((path) => !mixed.has(path)),
  );
  return [...missed, ...(await enter(git, place, [...mixed]))];
}

/** What git made of these paths. */
async function entriesOf(
  git: Git,
  place: LookPlace,
  committed: string | undefined,
  paths: readonly string[],
): Promise<readonly (readonly [string, Entry])[]> {
  const asked = new Set(paths);
  const all = committed === undefined ? await staged(git, place) : await stagedSince(git, place, committed);
  return all.filter(([path]) => asked.has(path));
}

async function staged(git: Git, place: LookPlace): Promise<(readonly [string, Entry])[]> {
  return names(await git(["ls-files", "--stage", "-z"], place)).map((text) => {
    const tab = text.indexOf("\t");
    const [mode = "", object = ""] = text.slice(0, tab).split(" ");
    return [text.slice(tab + 1), { mode, object }];
  });
}

async function stagedSince(git: Git, place: LookPlace, tree: string): Promise<(readonly [string, Entry])[]> {
  const asked = ["diff-index", "--cached", "--raw", "--no-renames", "--ignore-submodules=all", "-z", tree];
  const said = names(await git(asked, place));
  const found: (readonly [string, Entry])[] = [];
  for (let i = 0; i + 1 < said.length; i += 2) {
    const [, mode = "", , object = ""] = (said[i] ?? "").split(" ");
    found.push([said[i + 1] ?? "", { mode, object }]);
  }
  return found;
}
