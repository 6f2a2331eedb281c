import { accessSync, constants, lstatSync } from "node:fs";
import { FairleadError } from "@fairlead/contract";
import { type WorkspaceLimits, someOf } from "../limits.ts";
import { isNeverKept, NEVER_KEPT } from "../never-kept.ts";
import { type Git, GitError, type GitPlace, joined, line, names } from "./run.ts";

export interface Staged {
  /** The tree object that has the files. */
  readonly tree: string;
  readonly notes: readonly string[];
}

/** Places that must never be in a snapshot, as absolute paths. */
export type Left = (absolute: string) => boolean;

export interface StageOptions {
  readonly limits: WorkspaceLimits;
  readonly isLeft: Left;
  /** Leaves out changes of files that a filter keeps otherwise: in the user's checkout they are not as git stores them. */
  readonly unfiltered?: boolean;
  /** Of a project that somebody else works in too: the limits hold for all of its files, and some are never kept. */
  readonly project?: boolean;
}

type Place = Required<Pick<GitPlace, "gitDir" | "objects" | "workTree" | "index">>;

const GITLINK = "160000";

/**
 * Brings a private index up to what is in the working tree, and writes it as a tree. By plumbing alone: what is staged is
 * said by us, path by path, so that nothing is entered that should not be. Only what changed since is read again.
 */
export async function stage(
  git: Git,
  place: Place,
  { limits, isLeft, unfiltered = false, project = false }: StageOptions,
): Promise<Staged> {
  const excluded = project ? NEVER_KEPT.map((name) => `--exclude=${name}`) : [];
  const list = ["ls-files", "--others", "--exclude-standard", ...excluded, "-z"];
  const [tracked, differing, listed] = await Promise.all([
    git(["ls-files", "--stage", "-z"], place).then((said) => names(said).map(entry)),
    git(["diff-files", "--name-status", "--no-renames", "--ignore-submodules=all", "-z"], place).then(names),
    git(list, place).then(names),
  ]);
  const links = new Set(tracked.filter(({ mode }) => mode === GITLINK).map(({ path }) => path));
  const changed = changes(project ? withoutNever(differing) : differing, place.workTree, links);
  const counted = project ? { files: tracked.length, paths: changed.kept } : { files: 0, paths: [] };
  const others = project ? listed.filter((path) => !isNeverKept(readable(path))) : listed;
  const found = sorted(others, place.workTree, limits, isLeft, counted);

  if (changed.gone.length > 0)
    await git(["update-index", "-z", "--force-remove", "--stdin"], {
      ...place,
      input: joined(changed.gone),
    });
  const entering = [...changed.kept, ...found.files];
  const filtered = unfiltered ? await filteredOf(git, place, entering) : new Set<string>();
  const plain = entering.filter((path) => !filtered.has(path));
  const missed = await enter(git, place, plain);
  return {
    tree: await line(git, ["write-tree"], place),
    notes: notesOn({ submodules: [...links], nested: found.nested, large: found.large, missed }),
  };
}

function entry(text: string): { readonly mode: string; readonly path: string } {
  const tab = text.indexOf("\t");
  return { mode: text.slice(0, 6), path: text.slice(tab + 1) };
}

/** Pairs of status and path, but for those that stay as they were committed. */
function withoutNever(said: readonly string[]): readonly string[] {
  return said.filter((_, i) => !isNeverKept(readable(said[i - (i % 2) + 1] ?? "")));
}

/** Of what is tracked: what is other than the index has it, as far as its size and times tell. */
function changes(said: readonly string[], workTree: string, links: ReadonlySet<string>) {
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

/** What nobody told git about. A repository in it is a directory to git, whose files are not ours to take. */
function sorted(
  others: readonly string[],
  workTree: string,
  limits: WorkspaceLimits,
  isLeft: Left,
  counted: { readonly files: number; readonly paths: readonly string[] },
) {
  const files: string[] = [];
  const nested: string[] = [];
  const large: string[] = [];
  let total = 0;
  for (const path of counted.paths)
    total += lstatSync(at(workTree, path), { throwIfNoEntry: false })?.size ?? 0;
  for (const path of others) {
    const absolute = at(workTree, path);
    if (isLeft(absolute.toString("utf8"))) continue;
    if (path.endsWith("/")) {
      nested.push(path);
      continue;
    }
    const stats = lstatSync(absolute, { throwIfNoEntry: false });
    if (stats === undefined) continue;
    if (stats.size > limits.fileBytes) {
      large.push(path);
      continue;
    }
    total += stats.size;
    files.push(path);
  }
  const count = files.length + counted.files;
  if (total > limits.totalBytes || count > limits.files)
    throw new FairleadError("workspace_too_large", {
      details: { bytes: total, files: count, most_bytes: limits.totalBytes, most_files: limits.files },
    });
  return { files, nested, large };
}

/** Of these, those that the repository would have a filter change before they are stored. No filter is run to tell. */
async function filteredOf(git: Git, place: Place, paths: readonly string[]): Promise<ReadonlySet<string>> {
  if (paths.length === 0) return new Set();
  const asked = ["check-attr", "-z", "--stdin", "filter"];
  const said = names(await git(asked, { ...place, input: joined(paths) }));
  const found = new Set<string>();
  for (let i = 0; i + 2 < said.length; i += 3)
    if (!["unspecified", "unset"].includes(said[i + 2] ?? "")) found.add(said[i] ?? "");
  return found;
}

/** Those that could not be read: one such file must not keep all others out of every snapshot. */
async function enter(git: Git, place: Place, paths: readonly string[]): Promise<readonly string[]> {
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

function notesOn(found: {
  readonly submodules: readonly string[];
  readonly nested: readonly string[];
  readonly large: readonly string[];
  readonly missed: readonly string[];
}): string[] {
  const note = (paths: readonly string[], text: string) =>
    paths.length === 0 ? [] : [`${text}: ${someOf(paths.map(readable))}.`];
  return [
    ...note(found.submodules, "Submodules are empty directories here"),
    ...note(found.nested, "Repositories inside of the project are left out"),
    ...note(found.large, "Files that git does not track and that are too large are left out"),
    ...note(found.missed, "Files that cannot be read are left out"),
  ];
}

function readable(path: string): string {
  return Buffer.from(path, "latin1").toString("utf8");
}

function at(workTree: string, path: string): Buffer {
  return Buffer.concat([Buffer.from(`${workTree}/`), Buffer.from(path, "latin1")]);
}

function isFile(workTree: string, path: string): boolean {
  const stats = lstatSync(at(workTree, path), { throwIfNoEntry: false });
  return stats !== undefined && (stats.isFile() || stats.isSymbolicLink());
}

function isReadable(workTree: string, path: string): boolean {
  try {
    const place = at(workTree, path);
    const stats = lstatSync(place);
    if (!stats.isSymbolicLink()) accessSync(place, constants.R_OK);
    // A pipe or a socket in the place of a file has no content.
    return stats.isSymbolicLink() || stats.isFile();
  } catch (error) {
    // What is gone is taken out of the index, which can be done.
    return (error as NodeJS.ErrnoException).code === "ENOENT";
  }
}
