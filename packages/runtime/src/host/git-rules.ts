import { closeSync, constants, existsSync, fstatSync, lstatSync, openSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { below, gitIgnores, type Ignores } from "./git-ignore.ts";
import { readWhole } from "./read-whole.ts";

export const RULES = ".gitignore";
/** Rules that are longer are not read, and leave out everything. */
export const RULES_BYTES = 1024 * 1024;
export const UNREAD = Buffer.from("*");
const { O_NOFOLLOW, O_NONBLOCK, O_RDONLY } = constants;

/**
 * The rules from outside of a workspace: of the user, of the repository it lies in, and of the directories between its top
 * and the workspace. A repository that ignores the workspace as a whole has nothing to say about what is in it: somebody
 * chose to work there.
 */
export function rulesAbove(workspace: string, excludes: string | undefined): Ignores {
  const top = repositoryAround(workspace);
  const own = gitIgnores().with(top ?? workspace, excludes === undefined ? undefined : plainFile(excludes));
  if (top === undefined) return own;
  let ignores = own.with(top, repositoryRules(top));
  let directory = top;
  for (const name of below(top, workspace).split("/").filter(Boolean)) {
    ignores = ignores.with(directory, plainFile(join(directory, RULES), O_NOFOLLOW));
    directory = join(directory, name);
    if (ignores.skips(directory, true)) return own;
  }
  return ignores;
}

/** What a repository ignores without telling others: `info/exclude`. Of worktrees: that of all of them. */
export function repositoryRules(top: string): Uint8Array | undefined {
  const own = gitDirectory(top);
  if (own === undefined) return undefined;
  const shared = plainFile(join(own, "commondir"));
  return plainFile(join(shared === undefined ? own : resolve(own, textOf(shared)), "info", "exclude"));
}

function repositoryAround(directory: string): string | undefined {
  if (gitDirectory(directory) !== undefined) return directory;
  const above = dirname(directory);
  return above === directory ? undefined : repositoryAround(above);
}

/** A file in the place of the directory says where it is: worktrees and submodules have one. */
function gitDirectory(top: string): string | undefined {
  const git = join(top, ".git");
  const stats = lstatSync(git, { throwIfNoEntry: false });
  if (stats === undefined) return undefined;
  const said = stats.isFile() ? plainFile(git) : undefined;
  const [, named] = said === undefined ? [] : (/^gitdir: (.+)/.exec(textOf(said)) ?? []);
  const found = named === undefined ? git : resolve(top, named);
  return existsSync(join(found, "HEAD")) ? found : undefined;
}

function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("utf8").trim();
}

/** Without waiting for a pipe. Undefined where there is none, or none that can be read. */
function plainFile(path: string, flags = 0): Uint8Array | undefined {
  let fd: number | undefined;
  try {
    fd = openSync(path, O_RDONLY | O_NONBLOCK | flags);
    const stats = fstatSync(fd);
    if (!stats.isFile()) return undefined;
    return stats.size > RULES_BYTES ? UNREAD : readWhole({ fd, stats }, RULES_BYTES, path);
  } catch {
    return undefined;
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}
