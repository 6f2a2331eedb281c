import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { hostFiles } from "../../src/host/workspace-files.ts";
import { excludesOf } from "../../src/workspaces/git/excludes.ts";
import { findGit } from "../../src/workspaces/git/find.ts";

export interface Repository extends Disposable {
  readonly home: string;
  readonly top: string;
  readonly env: Readonly<Record<string, string>>;
  git(args: readonly string[], options?: { readonly cwd?: string; readonly input?: string }): string;
  put(path: string, content?: string): void;
  /** Files that a walk finds, relative to where it starts. */
  walked(workspace?: string): Promise<string[]>;
  /** Of these files of a directory, those that git does not ignore. */
  kept(paths: readonly string[], cwd?: string): string[];
}

/** A real repository, and a home whose settings git reads. */
export function repository(): Repository {
  const above = realpathSync(mkdtempSync(join(tmpdir(), "fairlead-ignore-")));
  const [home, top] = [join(above, "home"), join(above, "repository")];
  mkdirSync(home);
  mkdirSync(top);
  const path = process.env["PATH"] ?? "";
  const env = { PATH: path, HOME: home, GIT_CONFIG_NOSYSTEM: "1", LC_ALL: "C" };
  const program = findGit(path, top) ?? "git";
  const git: Repository["git"] = (args, { cwd = top, input = "" } = {}) =>
    execFileSync(program, args, { cwd, env, input, encoding: "utf8", stdio: ["pipe", "pipe", "ignore"] });
  git(["init", "-q"]);
  const files = hostFiles({ hidden: [], fixed: [] }, { excludes: () => excludesOf(program, env) });
  return {
    home,
    top,
    env,
    git,
    put(name, content = "needle\n") {
      const full = join(
        above,
        name.startsWith("~/") ? join("home", name.slice(2)) : join("repository", name),
      );
      mkdirSync(dirname(full), { recursive: true });
      writeFileSync(full, content);
    },
    async walked(workspace = top) {
      const found: string[] = [];
      const signal = new AbortController().signal;
      for await (const { path: name, type } of files.walk({ workspace, path: "" }, { signal }))
        if (type === "file") found.push(name);
      return found.toSorted();
    },
    kept(paths, cwd = top) {
      const input = paths.map((name) => `${name}\0`).join("");
      const ignored = new Set(
        said(() => git(["check-ignore", "--no-index", "-z", "--stdin"], { cwd, input })),
      );
      return paths.filter((name) => !ignored.has(relative("", name))).toSorted();
    },
    [Symbol.dispose]: () => rmSync(above, { recursive: true, force: true }),
  };
}

/** It exits with 1 where it names nothing. */
function said(ask: () => string): readonly string[] {
  try {
    return ask().split("\0");
  } catch (error) {
    if ((error as { status?: number }).status === 1) return [];
    throw error;
  }
}
