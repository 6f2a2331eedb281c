import { someOf } from "../limits.ts";
import { readable } from "./working-tree.ts";

/** Paths by why they are not in a snapshot as they are in the working tree. */
export interface LeftOut {
  readonly submodules: Iterable<string>;
  readonly nested: Iterable<string>;
  readonly large: Iterable<string>;
  readonly missed: Iterable<string>;
  readonly secret: Iterable<string>;
  readonly filtered: Iterable<string>;
}

const WORDS: Readonly<Record<keyof LeftOut, string>> = {
  submodules: "Submodules are empty directories here",
  nested: "Repositories inside of the project are left out",
  large: "Files that git does not track and that are too large are left out",
  missed: "Files that cannot be read are left out",
  secret: "Files that may hold secrets are as last committed, or not here",
  filtered: "Files that a filter keeps elsewhere, such as Git LFS, are as last committed, or not here",
};

/** In sentences for people. */
export function notesOn(found: Partial<LeftOut>): string[] {
  return (Object.keys(WORDS) as (keyof LeftOut)[]).flatMap((why) => {
    const paths = [...(found[why] ?? [])];
    return paths.length === 0 ? [] : [`${WORDS[why]}: ${someOf(paths.map(readable))}.`];
  });
}
