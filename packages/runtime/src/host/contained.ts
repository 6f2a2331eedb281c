import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readlinkSync,
  realpathSync,
} from "node:fs";
import { basename, dirname, isAbsolute, join, normalize, relative, sep } from "node:path";
import { FileError, type Place } from "../ports/workspace-files.ts";
import { HANDLE_PATHS } from "./handle-paths.ts";
import { real } from "./paths.ts";

/** What tools may not touch in any workspace. Absolute paths, links resolved. */
export interface Protected {
  /** Neither read nor written: our own data, and where people keep keys. */
  readonly hidden: readonly string[];
  /** Parts of that with files of agents, as many as they like: another name of one of these is no secret. */
  readonly open?: readonly string[];
  /** Read but not written: what decides what we run, such as our configuration. */
  readonly fixed: readonly string[];
}

/** Links resolved as they are now. */
export function realProtected({ hidden, fixed, open = [] }: Protected): Protected {
  return { hidden: hidden.map(real), fixed: fixed.map(real), open: open.map(real) };
}

/** An open directory of the workspace. */
export interface Directory {
  readonly fd: number;
  /** Where it really is. */
  readonly path: string;
  readonly root: string;
  /** A path to a name in this directory, wherever the directory has moved to since. */
  child(name: string): string;
}

const { O_DIRECTORY, O_NOFOLLOW, O_NONBLOCK, O_RDONLY } = constants;

/** The path inside the workspace, as far as text can tell. */
export function inWorkspace({ path }: Place): string {
  if (path.includes("\0")) throw new FileError("outside", "A path cannot contain a NUL character.");
  if (isAbsolute(path) || /^[A-Za-z]:[\\/]/.test(path))
    throw new FileError("outside", `${path} is absolute. Give a path relative to the workspace.`);
  const plain = normalize(path === "" ? "." : path).replace(/\/+$/, "");
  if (plain === ".." || plain.startsWith(`..${sep}`)) throw outside(path);
  if (plain.split(sep).some(isGit)) throw git(path);
  return plain === "." ? "" : plain;
}

/** Runs with the directory open. With `make` it and those above it are made where they are missing. */
export function withDirectory<T>(
  { workspace, path }: Place,
  guarded: Protected,
  make: boolean,
  use: (directory: Directory) => T,
): T {
  const fd = openDirectory(workspace, path, () => new FileError("missing", "The workspace is gone."));
  try {
    const root = nameOf(fd, workspace);
    return descend({ fd, path: root, root, child: childOf(fd, root) }, path, guarded, make, path, use);
  } finally {
    closeSync(fd);
  }
}

function descend<T>(
  from: Directory,
  way: string,
  guarded: Protected,
  make: boolean,
  asked: string,
  use: (directory: Directory) => T,
): T {
  if (way === "") return use(from);
  let fd: number;
  try {
    fd = openDirectory(from.child(way), asked);
  } catch (error) {
    if (!make || !(error instanceof FileError) || error.problem !== "missing") throw error;
    const above = dirname(way);
    return descend(from, above === "." ? "" : above, guarded, make, asked, (parent) => {
      forbid(parent, join(parent.path, basename(way)), guarded, true, asked);
      makeDirectory(parent.child(basename(way)), asked);
      // Not through a link that took its place.
      const made = openDirectory(parent.child(basename(way)), asked, undefined, O_NOFOLLOW);
      return entered(made, join(parent.path, basename(way)), parent.root, guarded, asked, use);
    });
  }
  return entered(fd, join(from.path, way), from.root, guarded, asked, use);
}

function entered<T>(
  fd: number,
  named: string,
  root: string,
  guarded: Protected,
  asked: string,
  use: (directory: Directory) => T,
): T {
  try {
    const path = nameOf(fd, named);
    const directory = { fd, path, root, child: childOf(fd, path) };
    forbid(directory, path, guarded, false, asked);
    return use(directory);
  } finally {
    closeSync(fd);
  }
}

/** Throws unless the real path is one that tools may touch. */
export function forbid(
  { root }: Pick<Directory, "root">,
  path: string,
  { hidden, fixed }: Protected,
  writing: boolean,
  asked: string,
): void {
  if (!liesIn(root, path)) throw outside(asked);
  if (relative(root, path).split(sep).some(isGit)) throw git(asked);
  // A workspace may itself lie in our data directory; what is in it is the agent's.
  if (hidden.some((place) => !liesIn(place, root) && liesIn(place, path))) throw closed(asked);
  if (writing && fixed.some((place) => liesIn(place, path)))
    throw new FileError("protected", `${asked} can be read, but not changed by tools.`);
}

/** Where systems ignore case, `.GIT` is git's too. */
export function isGit(name: string): boolean {
  return name.toLowerCase() === ".git";
}

export function liesIn(outer: string, inner: string): boolean {
  const way = relative(outer, inner);
  return way === "" || !(way === ".." || way.startsWith(`..${sep}`) || isAbsolute(way));
}

/** The real path of what is open, whatever happened to the name it was opened by. */
export function nameOf(fd: number, named: string): string {
  if (HANDLE_PATHS) return readlinkSync(`/proc/self/fd/${fd}`);
  const path = realpathSync(named);
  const [open, found] = [fstatSync(fd), lstatSync(path)];
  if (open.dev !== found.dev || open.ino !== found.ino)
    throw new FileError("changed", "The file was replaced while it was opened. Try again.");
  return path;
}

/** Paths to names in an open directory. */
export function childOf(fd: number, path: string): (name: string) => string {
  return HANDLE_PATHS ? (name) => `/proc/self/fd/${fd}/${name}` : (name) => join(path, name);
}

function openDirectory(path: string, asked: string, gone?: () => FileError, flags = 0): number {
  try {
    return openSync(path, O_RDONLY | O_DIRECTORY | O_NONBLOCK | flags);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT" && gone !== undefined) throw gone();
    throw systemError(error, asked);
  }
}

function makeDirectory(path: string, asked: string): void {
  try {
    mkdirSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw systemError(error, asked);
  }
}

function git(asked: string): FileError {
  return new FileError("protected", `${asked} belongs to git's own files. Use git to read or change them.`);
}

/** The same for all that is hidden: which secret it is, is one too. */
export function closed(asked: string): FileError {
  return new FileError(
    "protected",
    `${asked} is not open to tools: keys, passwords and Fairlead's own data are kept from agents.`,
  );
}

export function outside(asked: string): FileError {
  return new FileError("outside", `${asked} is outside the workspace.`);
}

/** Without the system's own text: that would name paths outside. */
export function systemError(error: unknown, asked: string): FileError {
  if (error instanceof FileError) return error;
  const code = (error as NodeJS.ErrnoException).code ?? "unknown";
  switch (code) {
    case "ENOENT":
      return new FileError("missing", `${asked} does not exist.`);
    case "ENOTDIR":
      return new FileError("not_a_directory", `${asked}: something on this path is a file, not a directory.`);
    case "EISDIR":
      return new FileError("not_a_file", `${asked} is a directory.`);
    case "ELOOP":
      return new FileError("outside", `${asked} leads through links that tools do not follow.`);
    case "ENAMETOOLONG":
      return new FileError("refused", `${asked.slice(0, 80)}… is too long a path.`);
    case "EACCES":
    case "EPERM":
      return new FileError("refused", `${asked}: permission denied.`);
    default:
      return new FileError("refused", `${asked}: the system refused it (${code}).`);
  }
}
