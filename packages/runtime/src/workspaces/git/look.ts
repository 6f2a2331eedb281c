import { existsSync, readFileSync } from "node:fs";
import { copyFile, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { WorkspaceLimits } from "../limits.ts";
import { isMadeAgain, isNeverKept, PRUNED } from "../never-kept.ts";
import { enter, filteredOf, type Place } from "./enter.ts";
import type { AtHead } from "./head-index.ts";
import { notesOn } from "./notes.ts";
import { dropDrafts, type OwnPlace } from "./own-store.ts";
import { type Git, joined, line, names } from "./run.ts";
import { changes, type Staged } from "./stage.ts";
import { at, type Left, mayHaveCrLf, readable, sorted } from "./working-tree.ts";

export interface LookOptions {
  readonly limits: WorkspaceLimits;
  readonly isLeft: Left;
}

type LookPlace = Place & OwnPlace;

const EXCLUDED = PRUNED.map((name) => `--exclude=${name}`);

/**
 * The files of somebody's checkout as they are now, as a tree. The index is the commit's and stays it: what differs is
 * entered into a copy, so nothing of an earlier look is in this one. Of what is left out the committed version stands.
 */
export async function look(
  git: Git,
  place: LookPlace,
  { head, files, links, attributes }: AtHead,
  { limits, isLeft }: LookOptions,
): Promise<Staged> {
  const { workTree } = place;
  const [differing, listed] = await Promise.all([
    git(["diff-files", "--name-status", "--no-renames", "--ignore-submodules=all", "-z"], place).then(names),
    git(["ls-files", "--others", "--exclude-standard", ...EXCLUDED, "-z"], place).then(names),
  ]);
  const never = new Set([...differing, ...listed].filter((path) => isNeverKept(readable(path))));
  const { gone, kept } = changes(differing, workTree, new Set([...links, ...never]));
  const others = listed.filter((path) => !never.has(path));
  const found = sorted(others, workTree, limits, isLeft, { files, paths: kept });
  const entering = [...kept, ...found.files];
  const asked = attributes || hasAttributes(place, entering);
  const [filtered, skipped] = await Promise.all([
    asked ? filteredOf(git, place, entering) : new Set<string>(),
    gone.length === 0 ? new Set<string>() : skippedIn(git, workTree),
  ]);
  const { tree, missed } = await written(git, place, head?.tree, {
    gone: gone.filter((path) => !skipped.has(path)),
    entering: entering.filter((path) => !filtered.has(path)),
    converts: asked || setsEnds(place),
  });
  const { nested, large } = found;
  const secret = [...never].filter((path) => !isMadeAgain(readable(path)));
  return { tree, notes: notesOn({ submodules: links, nested, large, missed, secret, filtered }) };
}

interface Differences {
  readonly gone: readonly string[];
  readonly entering: readonly string[];
  /** Whether ends of lines may be stored otherwise than they are in the files. */
  readonly converts: boolean;
}

async function written(
  git: Git,
  place: LookPlace,
  committed: string | undefined,
  { gone, entering, converts }: Differences,
): Promise<{ readonly tree: string; readonly missed: readonly string[] }> {
  if (committed !== undefined && gone.length + entering.length === 0) return { tree: committed, missed: [] };
  const scratch = { ...place, index: scratchOf(place) };
  await copyFile(place.index, scratch.index);
  if (gone.length > 0)
    await git(["update-index", "-z", "--force-remove", "--stdin"], { ...scratch, input: joined(gone) });
  const missed = await enterApart(git, scratch, entering, converts);
  const tree = await line(git, ["write-tree"], scratch);
  await rm(scratch.index, { force: true });
  return { tree, missed };
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

function setsEnds({ gitDir }: Place): boolean {
  return /autocrlf|eol/i.test(readFileSync(join(gitDir, "config"), "utf8"));
}

/** The index that a look writes into. It is there after a look that was cut off. */
function scratchOf({ index }: Place): string {
  return `${index}.look`;
}

/** What a look left that was cut off. */
export async function clearLook(place: LookPlace): Promise<void> {
  const scratch = scratchOf(place);
  const left = [`${place.index}.lock`, scratch, `${scratch}.lock`].filter((file) => existsSync(file));
  if (left.length === 0) return;
  await dropDrafts(place.objects);
  for (const file of left) await rm(file, { force: true });
}

/** Whether anything beside the commit can say how these files are stored: what says it lies on the way to them. */
function hasAttributes({ gitDir, workTree }: Place, paths: readonly string[]): boolean {
  if (existsSync(join(gitDir, "info", "attributes"))) return true;
  const ways = new Set<string>();
  for (const path of paths) for (let way = dirname(path); !ways.has(way); way = dirname(way)) ways.add(way);
  return [...ways].some((way) => existsSync(at(workTree, `${way}/.gitattributes`)));
}

/** What the user has git leave out of the checkout: it is not there, and was not deleted. */
async function skippedIn(git: Git, top: string): Promise<ReadonlySet<string>> {
  const said = names(await git(["ls-files", "-t", "--full-name", "-z"], { cwd: top }));
  return new Set(said.filter((text) => text.startsWith("S ")).map((text) => text.slice(2)));
}
