import { spawn } from "node:child_process";

/** Where git is to look, said by us for every call: never found by looking around. */
export interface GitPlace {
  readonly gitDir?: string;
  readonly objects?: string;
  /** Other directories of objects, to be read. */
  readonly alternates?: readonly string[];
  readonly workTree?: string;
  readonly index?: string;
  readonly cwd?: string;
}

export interface GitOptions extends GitPlace {
  readonly input?: Buffer;
  /** What is read of the output at most; the rest is left out, and git is ended. */
  readonly maxBytes?: number;
  /** Exit codes beside 0 that are answers and not failures. */
  readonly codes?: readonly number[];
  /** It is ended after so long. */
  readonly patienceMs?: number;
  /** Milliseconds since the epoch, for what is committed. */
  readonly at?: number;
}

export interface GitAnswer {
  readonly code: number;
  readonly stdout: Buffer;
  readonly truncated: boolean;
}

export class GitError extends Error {
  override readonly name = "GitError";
}

export type Git = (args: readonly string[], options?: GitOptions) => Promise<GitAnswer>;

const PATIENCE_MS = 10 * 60_000;
const MOST_BYTES = 512 * 1024 * 1024;

/**
 * Whatever a repository's own configuration says: no hook, monitor, pager, filter daemon, prompt or network. Filters of
 * file contents have names of their own and are not here; files are only read and written with a configuration of ours.
 */
const HARMLESS = [
  "core.hooksPath=/dev/null",
  "core.fsmonitor=false",
  "core.untrackedCache=false",
  "core.splitIndex=false",
  "core.attributesFile=/dev/null",
  "core.pager=cat",
  "core.editor=false",
  "core.askPass=",
  "core.sshCommand=false",
  "core.alternateRefsCommand=",
  "credential.helper=",
  "protocol.allow=never",
  "diff.external=",
  "submodule.recurse=false",
  "commit.gpgSign=false",
  "gc.auto=0",
  "maintenance.auto=false",
  // A snapshot that the log names is on the disk.
  "core.fsync=committed,loose-object",
  "core.fsyncMethod=batch",
].flatMap((setting) => ["-c", setting]);

/** Nothing of our own environment but where programs are: `GIT_*` of the caller would lead elsewhere. */
function environment(path: string, options: GitOptions): Record<string, string> {
  const { gitDir, objects, alternates, workTree, index, at } = options;
  return {
    PATH: path,
    LC_ALL: "C",
    // No place has this file, so that nobody's configuration is read but the repository's.
    HOME: "/dev/null",
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_CONFIG_SYSTEM: "/dev/null",
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_ATTR_NOSYSTEM: "1",
    GIT_TERMINAL_PROMPT: "0",
    GIT_PAGER: "cat",
    GIT_OPTIONAL_LOCKS: "0",
    GIT_NO_LAZY_FETCH: "1",
    GIT_NO_REPLACE_OBJECTS: "1",
    GIT_AUTHOR_NAME: "Fairlead",
    GIT_AUTHOR_EMAIL: "fairlead@localhost",
    GIT_COMMITTER_NAME: "Fairlead",
    GIT_COMMITTER_EMAIL: "fairlead@localhost",
    ...(at === undefined ? {} : { GIT_AUTHOR_DATE: dateOf(at), GIT_COMMITTER_DATE: dateOf(at) }),
    ...(gitDir === undefined ? {} : { GIT_DIR: gitDir }),
    ...(objects === undefined ? {} : { GIT_OBJECT_DIRECTORY: objects }),
    ...(alternates === undefined
      ? {}
      : { GIT_ALTERNATE_OBJECT_DIRECTORIES: alternates.map(quoted).join(":") }),
    ...(workTree === undefined ? {} : { GIT_WORK_TREE: workTree }),
    ...(index === undefined ? {} : { GIT_INDEX_FILE: index }),
  };
}

/** As git reads a list of paths: a path may have a colon in it. */
function quoted(path: string): string {
  return `"${path.replace(/["\\]/g, "\\$&").replaceAll("\n", "\\n")}"`;
}

function dateOf(at: number): string {
  return `@${Math.floor(at / 1000)} +0000`;
}

/** The real git. Rejects with GitError when it fails. */
export function gitAt(program: string, path: string): Git {
  return (args, options = {}) =>
    new Promise((resolve, reject) => {
      const { input, maxBytes = MOST_BYTES, codes = [], cwd = options.workTree ?? "/" } = options;
      const { patienceMs = PATIENCE_MS } = options;
      const child = spawn(program, [...HARMLESS, ...args], {
        cwd,
        env: environment(path, options),
        stdio: ["pipe", "pipe", "pipe"],
        timeout: patienceMs,
        killSignal: "SIGKILL",
      });
      const chunks: Buffer[] = [];
      let bytes = 0;
      let said = "";
      let truncated = false;
      child.stdout.on("data", (chunk: Buffer) => {
        if (truncated) return;
        const room = maxBytes - bytes;
        chunks.push(chunk.length > room ? chunk.subarray(0, room) : chunk);
        bytes += Math.min(chunk.length, room);
        if (chunk.length <= room) return;
        truncated = true;
        child.kill("SIGKILL");
      });
      child.stderr.on("data", (chunk: Buffer) => {
        if (said.length < 4_000) said += chunk.toString("utf8");
      });
      // One that ends before it has read all says so by its code.
      child.stdin.on("error", () => {});
      child.once("error", (error) => reject(new GitError(`git cannot be run: ${error.message}`)));
      child.once("close", (code, signal) => {
        const stdout = Buffer.concat(chunks);
        if (truncated) return resolve({ code: 0, stdout, truncated });
        if (code !== null && (code === 0 || codes.includes(code)))
          return resolve({ code, stdout, truncated });
        const [first = ""] = said.trim().split("\n");
        reject(new GitError(`git ${args[0]} failed (${signal ?? code}): ${first.slice(0, 300)}`));
      });
      child.stdin.end(input ?? Buffer.alloc(0));
    });
}

/** One line of output. */
export async function line(git: Git, args: readonly string[], options?: GitOptions): Promise<string> {
  return (await git(args, options)).stdout.toString("utf8").trim();
}

/** Names between NUL bytes, each byte a character: file names need not be UTF-8. */
export function names({ stdout }: GitAnswer): string[] {
  return stdout.toString("latin1").split("\0").slice(0, -1);
}

export function joined(paths: readonly string[]): Buffer {
  return Buffer.from(paths.map((path) => `${path}\0`).join(""), "latin1");
}
