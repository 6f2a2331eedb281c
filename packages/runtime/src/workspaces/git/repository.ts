import { existsSync } from "node:fs";
import { copyFile, mkdir, rm, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { liesIn } from "./find.ts";
import { type Git, GitError, line, names } from "./run.ts";

/** The user's repository around a project. */
export interface Repository {
  /** The root of the checkout. */
  readonly top: string;
  /** The way from there to the project; empty where they are the same. */
  readonly prefix: string;
  /** What all worktrees of it share: objects, branches, configuration. */
  readonly common: string;
  /** This checkout's own: its HEAD and index. */
  readonly gitDir: string;
  readonly format: string;
  /** Null before the first commit. */
  readonly head: string | null;
}

export type Found = { readonly repository: Repository } | { readonly problem: string };

/** Looks for it without running anything that the repository names. */
export async function findRepository(git: Git, source: string): Promise<Found> {
  try {
    const asked = ["--is-inside-work-tree", "--show-toplevel", "--git-common-dir", "--git-dir"];
    const said = await line(git, ["rev-parse", "--path-format=absolute", ...asked, "--show-object-format"], {
      cwd: source,
    });
    const [inside, top = "", common = "", gitDir = "", format = "sha1"] = said.split("\n");
    // Its configuration can name any directory as the checkout, such as `/`: then it is not this project's.
    if (inside !== "true" || !liesIn(top, source) || !existsSync(join(top, ".git")))
      return { problem: "The project is not the checkout of a git repository." };
    const prefix = relative(top, source);
    if (prefix !== "" && (await isIgnored(git, top, prefix)))
      return { problem: "The repository around the project ignores it." };
    const verify = ["rev-parse", "--verify", "--quiet", "HEAD^{commit}"];
    const head = await git(verify, { cwd: source, codes: [1] });
    const commit = head.stdout.toString("utf8").trim();
    return { repository: { top, prefix, common, gitDir, format, head: commit === "" ? null : commit } };
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    // Not a repository, one of somebody else's, or one that this git cannot read.
    return { problem: `The project is no repository that can be used (${error.message}).` };
  }
}

async function isIgnored(git: Git, top: string, path: string): Promise<boolean> {
  const { code } = await git(["check-ignore", "--quiet", "--", path], { cwd: top, codes: [1] });
  return code === 0;
}

/** What of the repository's configuration says how files are written down, and runs nothing. */
const KEPT = ["core.autocrlf", "core.eol", "core.filemode", "core.ignorecase", "core.symlinks"];
const PLAIN = /^[A-Za-z0-9]{1,20}$/;

/**
 * A git directory of ours, with the repository's objects and our own configuration: so that no filter, driver or monitor
 * that the repository names is ever run on files.
 */
export async function makePrivateDir(
  git: Git,
  dir: string,
  { common, top, format }: Repository,
  excludes: string | undefined,
): Promise<void> {
  for (const name of ["objects", "refs", "info"])
    await mkdir(join(dir, name), { recursive: true, mode: 0o700 });
  await writeFile(join(dir, "HEAD"), "ref: refs/heads/none\n");
  await copyRules(dir, common);
  const settings = [
    ["core.repositoryformatversion", "1"],
    ["extensions.objectformat", format],
    ["core.bare", "false"],
    ["core.excludesFile", excludes ?? "/dev/null"],
    ...(await kept(git, top)),
  ];
  await writeFile(join(dir, "config"), settings.map(printed).join(""));
}

/** The rules of the repository that are in no file of the checkout, as they are now. */
export async function copyRules(dir: string, common: string): Promise<void> {
  for (const name of ["exclude", "attributes"]) {
    const [theirs, own] = [join(common, "info", name), join(dir, "info", name)];
    if (existsSync(theirs)) await copyFile(theirs, own);
    else await rm(own, { force: true });
  }
}

async function kept(git: Git, top: string): Promise<readonly (readonly string[])[]> {
  const said = names(await git(["config", "--list", "-z"], { cwd: top })).map((text) => text.split("\n", 2));
  return said.filter(([name = "", value = ""]) => KEPT.includes(name) && PLAIN.test(value));
}

function printed([name = "", value = ""]: readonly string[]): string {
  const [section, key] = name.split(".");
  return `[${section}]\n\t${key} = ${JSON.stringify(value)}\n`;
}
