import { execFileSync } from "node:child_process";
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { hostFiles } from "../../src/host/workspace-files.ts";
import type { Workspaces } from "../../src/ports/workspaces.ts";
import { write } from "./support-files.ts";
import { openWorkspaces, type WorkspacesOptions } from "../../src/workspaces/open.ts";

const made: string[] = [];

/** Goes with this process, which many test files share: what is said here of the end of a file is heard by the first alone. */
export function temporary(): string {
  if (made.length === 0)
    process.once("exit", () => {
      for (const dir of made) rmSync(dir, { recursive: true, force: true });
    });
  const dir = realpathSync(mkdtempSync(join(tmpdir(), "fairlead-ws-")));
  made.push(dir);
  return dir;
}

export { write };

export interface Lab {
  /** The user's project. */
  readonly project: string;
  readonly data: string;
  readonly home: string;
  readonly workspaces: Workspaces;
  /** As the user would call it, in the project unless said. */
  git(...args: readonly string[]): string;
  gitIn(dir: string, ...args: readonly string[]): string;
  put(path: string, text: string | Uint8Array, mode?: number): void;
  /** Another process over the same things. */
  again(options?: Partial<WorkspacesOptions>): Workspaces;
}

/** What the machine's own configuration says must not matter. */
function userEnv(home: string): Record<string, string> {
  return {
    PATH: process.env["PATH"] ?? "",
    HOME: home,
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_AUTHOR_NAME: "Ada",
    GIT_AUTHOR_EMAIL: "ada@example.org",
    GIT_COMMITTER_NAME: "Ada",
    GIT_COMMITTER_EMAIL: "ada@example.org",
  };
}

export function lab(options: Partial<WorkspacesOptions> & { readonly repository?: boolean } = {}): Lab {
  const { repository = true, project: kept, ...rest } = options;
  // A machine that does other things meanwhile must not be what a test finds out.
  const given = kept === undefined ? rest : { ...rest, project: { patienceMs: 60_000, ...kept } };
  const root = temporary();
  const [project, data, home] = [join(root, "project"), join(root, "data"), join(root, "home")];
  for (const dir of [project, data, home]) mkdirSync(dir);
  const gitIn = (dir: string, ...args: readonly string[]) =>
    execFileSync("git", args, {
      cwd: dir,
      env: userEnv(home),
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
    });
  const again = (more: Partial<WorkspacesOptions> = {}) =>
    openWorkspaces({
      dir: join(data, "workspaces"),
      places: join(root, "places"),
      hidden: [data],
      files: hostFiles({ hidden: [data], fixed: [] }),
      env: { PATH: process.env["PATH"], HOME: home },
      clock: { now: () => Date.now() },
      ...given,
      ...more,
    });
  const one: Lab = {
    project,
    data,
    home,
    workspaces: again(),
    gitIn,
    git: (...args) => gitIn(project, ...args),
    put: (path, text, mode) => write(project, path, text, mode),
    again,
  };
  if (repository) {
    one.git("init", "--quiet", "--initial-branch=main");
    one.put("src/a.txt", "one\ntwo\nthree\n");
    one.put("run.sh", "#!/bin/sh\necho hello\n", 0o755);
    one.put(".gitignore", "ignored/\n*.secret\n");
    one.git("add", "-A");
    one.git("commit", "--quiet", "-m", "The beginning");
  }
  return one;
}

export function link(root: string, path: string, target: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  symlinkSync(target, join(root, path));
}

/** Everything below, by path, but git's own: contents, targets of links, and who may run it. */
export function filesOf(root: string): Record<string, string> {
  const found: Record<string, string> = {};
  const visit = (way: string) => {
    for (const name of readdirSync(join(root, way)).toSorted()) {
      if (name === ".git") continue;
      const path = way === "" ? name : `${way}/${name}`;
      const stats = lstatSync(join(root, path));
      if (stats.isDirectory()) visit(path);
      else if (stats.isSymbolicLink()) found[path] = `-> ${readlinkSync(join(root, path))}`;
      else if (stats.isFile())
        found[path] = `${(stats.mode & 0o100) === 0 ? "" : "x "}${readFileSync(join(root, path), "latin1")}`;
    }
  };
  if (existsSync(root)) visit("");
  return found;
}

/** What must be as it was after everything we do: what the user has under their hands. */
export function untouched({ git, project }: Lab): Record<string, unknown> {
  return {
    head: readFileSync(join(project, ".git/HEAD"), "utf8"),
    index: existsSync(join(project, ".git/index"))
      ? readFileSync(join(project, ".git/index")).toString("hex")
      : null,
    stash: git("stash", "list"),
    branches: git("for-each-ref", "refs/heads", "refs/tags", "--format=%(refname) %(objectname)"),
    files: filesOf(project),
  };
}
