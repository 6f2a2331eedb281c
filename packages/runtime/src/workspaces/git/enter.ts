import { type Git, GitError, type GitPlace, joined, names } from "./run.ts";
import { isReadable } from "./working-tree.ts";

export type Place = Required<Pick<GitPlace, "gitDir" | "objects" | "workTree" | "index">> & GitPlace;

/** Of these, those that the repository would have a filter change before they are stored. No filter is run to tell. */
export async function filteredOf(
  git: Git,
  place: Place,
  paths: readonly string[],
): Promise<ReadonlySet<string>> {
  if (paths.length === 0) return new Set();
  const asked = ["check-attr", "-z", "--stdin", "filter"];
  const said = names(await git(asked, { ...place, input: joined(paths) }));
  const found = new Set<string>();
  for (let i = 0; i + 2 < said.length; i += 3)
    if (!["unspecified", "unset"].includes(said[i + 2] ?? "")) found.add(said[i] ?? "");
  return found;
}

/** Those that could not be read: one such file must not keep all others out of every snapshot. */
export async function enter(git: Git, place: Place, paths: readonly string[]): Promise<readonly string[]> {
  if (paths.length === 0) return [];
  const update = ["update-index", "-z", "--add", "--remove", "--replace", "--stdin"];
  try {
    await git(update, { ...place, input: joined(paths) });
    return [];
  } catch (error) {
    const missed = new Set(paths.filter((path) => !isReadable(place.workTree, path)));
    if (!(error instanceof GitError) || missed.size === 0) throw error;
    await git(update, { ...place, input: joined(paths.filter((path) => !missed.has(path))) });
    return [...missed];
  }
}
