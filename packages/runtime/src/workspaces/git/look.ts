import { existsSync, readFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { WorkspaceLimits } from "../limits.ts";
import { isMadeAgain, isNeverKept, PRUNED } from "../never-kept.ts";
import { filteredOf, type Place } from "./enter.ts";
import type { AtHead } from "./head-index.ts";
import { notesOn } from "./notes.ts";
import { dropDrafts } from "./own-store.ts";
import { type Git, names } from "./run.ts";
import { changes, type Staged } from "./stage.ts";
import { at, type Left, readable, sorted } from "./working-tree.ts";
import { type LookPlace, scratchOf, writeLook } from "./write-look.ts";

export interface LookOptions {
  readonly limits: WorkspaceLimits;
  readonly isLeft: Left;
}

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
  const { tree, missed } = await writeLook(git, place, head?.tree, {
    gone: gone.filter((path) => !skipped.has(path)),
    entering: entering.filter((path) => !filtered.has(path)),
    converts: asked || setsEnds(place),
  });
  const { nested, large } = found;
  const secret = [...never].filter((path) => !isMadeAgain(readable(path)));
  return { tree, notes: notesOn({ submodules: links, nested, large, missed, secret, filtered }) };
}

function setsEnds({ gitDir }: Place): boolean {
  return /autocrlf|eol/i.test(readFileSync(join(gitDir, "config"), "utf8"));
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
