import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Place } from "./enter.ts";
import { type Git, names } from "./run.ts";

const TREE = "040000";

/**
 * Writes the directories of a tree, as far as they are not committed, that git did not write because the user's repository
 * has them: those of a commit that was taken back, say, which it may have dropped tomorrow.
 */
export async function ownTrees(
  git: Git,
  place: Place,
  committed: string | undefined,
  tree: string,
): Promise<void> {
  if (tree === committed) return;
  const { alternates: _theirs, ...apart } = place;
  const all = new Set([tree, ...(await treesIn(git, place, committed, tree))]);
  for (const object of all) {
    if (existsSync(join(place.objects, object.slice(0, 2), object.slice(2)))) continue;
    const { stdout } = await git(["cat-file", "tree", object], place);
    await git(["hash-object", "-t", "tree", "-w", "--stdin"], { ...apart, input: stdout });
  }
}

async function treesIn(
  git: Git,
  place: Place,
  committed: string | undefined,
  tree: string,
): Promise<readonly string[]> {
  if (committed === undefined) {
    const said = names(await git(["ls-tree", "-r", "-d", "-z", tree], place));
    return said.flatMap((text) =>
      text.startsWith(TREE) ? (text.slice(0, text.indexOf("\t")).split(" ")[2] ?? []) : [],
    );
  }
  const asked = ["diff-tree", "-r", "-t", "--raw", "--no-renames", "-z", committed, tree];
  const said = names(await git(asked, place));
  return said.flatMap((text) => {
    const [, mode, , object] = text.startsWith(":") ? text.split(" ") : [];
    return mode === TREE && object !== undefined ? [object] : [];
  });
}
