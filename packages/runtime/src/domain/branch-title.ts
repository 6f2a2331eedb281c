const MARK = / \(branch ([\d.]+)\)$/;
const MOST_CHARS = 500;

/**
 * What a branch is called where nobody says: the same as what it came from, with its number among the branches of that. Of
 * the branch `(branch 2)` the first is `(branch 2.1)`. Null where the other has no title either.
 */
export function branchTitle(title: string | null | undefined, before: number): string | null {
  if (title === null || title === undefined || title === "") return null;
  const [mark = "", number = ""] = MARK.exec(title) ?? [];
  const name = ` (branch ${number === "" ? "" : `${number}.`}${before + 1})`;
  return `${title.slice(0, title.length - mark.length).slice(0, MOST_CHARS - name.length)}${name}`;
}
