import { closeSync, constants, type Dirent, fstatSync, lstatSync, openSync, readdirSync } from "node:fs";
import { join, relative } from "node:path";
import type { Place, WalkEntry, WalkOptions } from "../ports/workspace-files.ts";
import {
  childOf,
  type Directory,
  forbid,
  inWorkspace,
  isGit,
  liesIn,
  nameOf,
  type Protected,
  withDirectory,
} from "./contained.ts";
import { below, EVERYTHING, gitIgnores, type Ignores } from "./git-ignore.ts";
import { repositoryRules, RULES, RULES_BYTES, rulesAbove, UNREAD } from "./git-rules.ts";
import { isLinkedFrom } from "./hard-links.ts";
import { readWhole } from "./read-whole.ts";

const { O_DIRECTORY, O_NOFOLLOW, O_NONBLOCK, O_RDONLY } = constants;
/** Other work gets its turn after so many entries. */
const AT_ONCE = 200;
const DEEPEST = 64;

/** One handle a level is open while it runs, and each is closed whoever stops first. */
export async function* walkWorkspace(
  place: Place,
  guarded: Protected,
  excludes: () => string | undefined,
  { signal, ignored = false, flat = false, left = () => false }: WalkOptions,
): AsyncGenerator<WalkEntry> {
  // The start is named, and may be reached through links; below it no link is followed.
  const top = withDirectory({ ...place, path: inWorkspace(place) }, guarded, false, (from) => {
    const fd = openSync(from.child("."), O_RDONLY | O_DIRECTORY);
    return { fd, path: from.path, root: from.root, child: childOf(fd, from.path) };
  });
  // Below a directory that is open, only what is named itself can be closed.
  const closed = new Set(guarded.hidden.filter((place) => !liesIn(place, top.root)));
  let count = 0;
  yield* level(top, above(top, ignored), 0);

  async function* level(directory: Directory, ignores: Ignores, depth: number): AsyncGenerator<WalkEntry> {
    try {
      const entries = readdirSync(directory.child("."), { withFileTypes: true }).toSorted(byName);
      const here = ignored ? ignores : withRules(directory, ignores, entries);
      for (const entry of entries) {
        if (signal.aborted) return;
        if (++count % AT_ONCE === 0) await new Promise<void>((resolve) => void setImmediate(resolve));
        const path = join(directory.path, entry.name);
        if (isGit(entry.name) || closed.has(path) || here.skips(path, entry.isDirectory())) continue;
        if (left(`${below(top.root, path)}${entry.isDirectory() ? "/" : ""}`)) continue;
        const type = typeOf(entry);
        yield {
          path: below(top.root, path),
          type,
          ...(type === "file" ? looked(directory.child(entry.name)) : NOTHING),
          read: (maxBytes) => (type === "file" ? read(directory, entry.name, maxBytes) : undefined),
        };
        if (type !== "directory" || flat || depth >= DEEPEST) continue;
        const inner = enter(directory, entry.name);
        if (inner !== undefined) yield* level(inner, here, depth + 1);
      }
    } finally {
      closeSync(directory.fd);
    }
  }

  function isOpen(directory: Directory, path: string): boolean {
    try {
      forbid(directory, path, guarded, false, "");
      return true;
    } catch {
      return false;
    }
  }

  function enter(directory: Directory, name: string): Directory | undefined {
    let fd: number;
    try {
      fd = openSync(directory.child(name), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_NONBLOCK);
    } catch {
      return undefined;
    }
    try {
      const path = nameOf(fd, join(directory.path, name));
      if (isOpen(directory, path)) return { fd, path, root: directory.root, child: childOf(fd, path) };
    } catch {
      // Gone again.
    }
    closeSync(fd);
    return undefined;
  }

  function read(directory: Directory, name: string, maxBytes: number): Uint8Array | undefined {
    let fd: number | undefined;
    try {
      fd = openSync(directory.child(name), O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
      const stats = fstatSync(fd);
      if (!stats.isFile() || (stats.nlink > 1 && isLinkedFrom(guarded, directory.root, stats)))
        return undefined;
      return readWhole({ fd, stats }, maxBytes, name);
    } catch {
      return undefined;
    } finally {
      if (fd !== undefined) closeSync(fd);
    }
  }

  /** The rules of the directories above the start. All of it is ignored where one of those is. */
  function above({ root, path }: Directory, all: boolean): Ignores {
    if (all) return gitIgnores();
    let ignores = rulesAbove(root, excludes());
    const steps = relative(root, path).split("/").filter(Boolean);
    for (const [i, step] of steps.entries())
      withDirectory({ workspace: root, path: steps.slice(0, i).join("/") }, guarded, false, (directory) => {
        const entries = readdirSync(directory.child("."), { withFileTypes: true });
        ignores = withRules(directory, ignores, entries);
        if (ignores.skips(join(directory.path, step), true)) ignores = EVERYTHING;
      });
    return ignores;
  }

  function withRules(directory: Directory, ignores: Ignores, entries: readonly Dirent[]): Ignores {
    const { path, root } = directory;
    // A repository in the workspace has rules of its own; those around it stay.
    const nested = path !== root && entries.some(({ name }) => name === ".git");
    const here = nested ? ignores.with(path, repositoryRules(path)) : ignores;
    // As git does: through no link.
    if (!entries.some((entry) => entry.name === RULES && entry.isFile())) return here;
    return here.with(path, read(directory, RULES, RULES_BYTES) ?? UNREAD);
  }
}

function typeOf(entry: Dirent): WalkEntry["type"] {
  if (entry.isFile()) return "file";
  if (entry.isDirectory()) return "directory";
  return entry.isSymbolicLink() ? "link" : "other";
}

const NOTHING = { bytes: 0, stamp: "", changedAt: 0, names: 0 };

function looked(path: string): Pick<WalkEntry, "bytes" | "stamp" | "changedAt" | "names"> {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return NOTHING;
  const { size, ino, mtimeMs, ctimeMs, nlink } = stats;
  return { bytes: size, stamp: `${ino}:${size}:${mtimeMs}:${ctimeMs}`, changedAt: ctimeMs, names: nlink };
}

function byName(a: Dirent, b: Dirent): number {
  return a.name < b.name ? -1 : a.name > b.name ? 1 : 0;
}
