import { mayBeSecret } from "../never-kept.ts";
import type { Place } from "./enter.ts";
import { type Git, joined, names } from "./run.ts";
import { readable } from "./working-tree.ts";

const NOTHING = "0".repeat(6);

/**
 * Takes what is staged and may be secret back to what is committed, and says what that was. In an index of ours: what
 * somebody put into their own stays there.
 */
export async function unstageSecrets(
  git: Git,
  place: Place,
  head: string | null,
): Promise<readonly string[]> {
  const found = (await stagedSince(git, place, head)).filter(({ path }) => mayBeSecret(readable(path)));
  if (found.length === 0) return [];
  // Without a mode all there is of a path is taken out, also the sides of a conflict.
  const lines = found.flatMap(({ path, mode, object }) => [
    `0 ${"0".repeat(object.length)}\t${path}`,
    ...(mode === NOTHING ? [] : [`${mode} ${object} 0\t${path}`]),
  ]);
  await git(["update-index", "-z", "--index-info"], { ...place, input: joined(lines) });
  return found.map(({ path }) => path);
}

interface Committed {
  readonly path: string;
  /** Of what is committed; where nothing is, zeros, and any object. */
  readonly mode: string;
  readonly object: string;
}

async function stagedSince(git: Git, place: Place, head: string | null): Promise<readonly Committed[]> {
  if (head === null) {
    const said = names(await git(["ls-files", "--stage", "-z"], place));
    return said.map((text) => {
      const tab = text.indexOf("\t");
      // Of what is staged, for its length: not every repository has names of forty digits.
      const [, object = ""] = text.slice(0, tab).split(" ");
      return { path: text.slice(tab + 1), mode: NOTHING, object };
    });
  }
  const asked = ["diff-index", "--cached", "--raw", "--no-renames", "--ignore-submodules=none", "-z", head];
  const said = names(await git(asked, place));
  const found: Committed[] = [];
  for (let i = 0; i + 1 < said.length; i += 2) {
    const [mode = "", , object = ""] = (said[i] ?? "").slice(1).split(" ");
    found.push({ path: said[i + 1] ?? "", mode, object });
  }
  return found;
}
