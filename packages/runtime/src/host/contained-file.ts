import { closeSync, constants, fstatSync, openSync, realpathSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { FileError, type Place } from "../ports/workspace-files.ts";
import {
  closed,
  type Directory,
  forbid,
  inWorkspace,
  liesIn,
  nameOf,
  outside,
  type Protected,
  systemError,
  withDirectory,
} from "./contained.ts";
import { isLinkedFrom } from "./hard-links.ts";
import type { OpenFile } from "./read-whole.ts";

/** A name in an open directory, and the file that has it now. */
export interface Spot {
  readonly directory: Directory;
  readonly name: string;
  /** Relative to the workspace, links followed. */
  readonly path: string;
  /** Undefined when there is none. */
  readonly file: OpenFile | undefined;
}

/** A link to a link is resolved in one go, so a second round means that somebody changes links meanwhile. */
const ROUNDS = 3;
const { O_NOFOLLOW, O_NONBLOCK, O_RDONLY } = constants;

/** Runs with the directory open and, where there is such a file, the file too, both checked after they were opened. */
export function withSpot<T>(place: Place, guarded: Protected, writing: boolean, use: (spot: Spot) => T): T {
  const asked = place.path;
  let way = inWorkspace(place);
  for (let round = 0; round < ROUNDS; round++) {
    if (way === "") throw new FileError("not_a_file", `${asked || "."} is the workspace, a directory.`);
    const above = dirname(way);
    const at = { workspace: place.workspace, path: above === "." ? "" : above };
    const done = named(asked, () =>
      withDirectory(at, guarded, writing, (directory) => visit(directory, basename(way))),
    );
    if ("value" in done) return done.value;
    way = done.link;
  }
  throw new FileError("changed", `${asked} changed while it was opened. Try again.`);

  function visit(directory: Directory, name: string): { readonly value: T } | { readonly link: string } {
    forbid(directory, join(directory.path, name), guarded, writing, asked);
    let fd: number;
    try {
      // Without waiting: a pipe that nobody writes to would hold us for ever.
      fd = openSync(directory.child(name), O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === "ELOOP") return { link: target(directory, name) };
      if (code !== "ENOENT") throw systemError(error, asked);
      return { value: use({ directory, name, path: path(directory, name), file: undefined }) };
    }
    try {
      const stats = fstatSync(fd);
      forbid(directory, nameOf(fd, join(directory.path, name)), guarded, writing, asked);
      if (!stats.isFile())
        throw new FileError(
          "not_a_file",
          `${asked} is ${stats.isDirectory() ? "a directory" : "no plain file"}.`,
        );
      if (stats.nlink > 1 && isLinkedFrom(guarded, directory.root, stats)) throw closed(asked);
      return { value: use({ directory, name, path: path(directory, name), file: { fd, stats } }) };
    } finally {
      closeSync(fd);
    }
  }

  /** Where the link leads, as a path in the workspace; checked again like any other. */
  function target({ root, path: above }: Directory, name: string): string {
    let real: string;
    try {
      real = realpathSync(join(above, name));
    } catch {
      throw new FileError("missing", `${asked} is a link that leads nowhere.`);
    }
    if (!liesIn(root, real)) throw outside(asked);
    return relative(root, real);
  }
}

function path({ root, path: above }: Directory, name: string): string {
  return relative(root, join(above, name));
}

/** Errors of directories on the way speak of the path that was asked for. */
function named<T>(asked: string, use: () => T): T {
  try {
    return use();
  } catch (error) {
    if (error instanceof FileError && error.problem === "missing")
      throw new FileError(
        "missing",
        error.message.includes("link") ? error.message : `${asked} does not exist.`,
      );
    throw systemError(error, asked);
  }
}
