import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import { runProgram } from "../src/program.ts";

/** Shared by all, so that each program is compiled once. */
const CACHE = fileURLToPath(new URL("../../../node_modules/.cache/fairlead-cli", import.meta.url));

const MAIN = fileURLToPath(new URL("../src/main.ts", import.meta.url));

/** Answers at once, fails or hangs when asked to. */
const SCRIPT = {
  rules: [
    { when: "please fail", do: [{ say: "Half an ans" }, { fail: "The provider broke." }] },
    { when: "please hang", do: [{ say: "Once upon a time" }, { hang: true }] },
    { do: [{ say: "Answer to {{prompt}}.\n" }] },
  ],
};

export interface Outcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Place {
  /** Where commands run; the data is in `.fairlead` there. */
  readonly cwd: string;
  readonly data: string;
  readonly config: string;
  readonly env: Record<string, string>;
}

/** Directories of their own: no test sees this machine's real ones. */
export function makePlace(): Place {
  const root = mkdtempSync(join(tmpdir(), "fairlead-cli-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const cwd = join(root, "work");
  const home = join(root, "home");
  mkdirSync(cwd);
  mkdirSync(home);
  const script = join(root, "script.json");
  writeFileSync(script, JSON.stringify(SCRIPT));
  const env = {
    PATH: process.env["PATH"] ?? "",
    HOME: home,
    XDG_CONFIG_HOME: join(root, "config"),
    FAIRLEAD_SCRIPT: script,
    XDG_CACHE_HOME: CACHE,
  };
  return { cwd, data: join(cwd, ".fairlead"), config: join(root, "config", "fairlead"), env };
}

function start(place: Place, args: readonly string[], env: Record<string, string> = {}): ChildProcess {
  return spawn(process.execPath, [MAIN, ...args], {
    cwd: place.cwd,
    env: { ...place.env, ...env },
    stdio: ["pipe", "pipe", "pipe"],
  });
}

async function outcome(child: ChildProcess): Promise<Outcome> {
  let stdout = "";
  let stderr = "";
  child.stdout?.on("data", (chunk) => (stdout += chunk));
  child.stderr?.on("data", (chunk) => (stderr += chunk));
  const [code] = (await once(child, "close")) as [number | null];
  return { code, stdout, stderr };
}

/** Runs a command to its end. */
export function cli(
  place: Place,
  args: readonly string[],
  options: { stdin?: string; env?: Record<string, string> } = {},
): Promise<Outcome> {
  const child = start(place, args, options.env);
  child.stdin?.end(options.stdin ?? "");
  return outcome(child);
}

/** The same program in this process: quicker, for what does not depend on being a process of its own. */
export async function call(
  place: Place,
  args: readonly string[],
  env: Record<string, string> = {},
  self = "fairlead",
): Promise<Outcome> {
  const io = { stdout: new PassThrough(), stderr: new PassThrough() };
  const said = Promise.all([text(io.stdout), text(io.stderr)]);
  const host = {
    env: { ...place.env, ...env },
    cwd: place.cwd,
    home: place.env["HOME"] ?? "",
    user: "tester",
    self,
  };
  const code = await runProgram(args, { host, version: "1.2.3", io });
  io.stdout.end();
  io.stderr.end();
  const [stdout, stderr] = await said;
  return { code, stdout, stderr };
}

/** The one JSON value that a command prints. */
export async function callJson<T>(place: Place, args: readonly string[]): Promise<T> {
  const { code, stdout, stderr } = await call(place, [...args, "--json"]);
  if (code !== 0) throw new Error(`fairlead ${args.join(" ")} ended with ${code}: ${stderr}`);
  return JSON.parse(stdout) as T;
}

export function jsonLines<T>(text: string): T[] {
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as T);
}

export interface Background {
  readonly child: ChildProcess;
  readonly ended: Promise<Outcome>;
  /** Resolves once the output has what is looked for; rejects when the process ends without it. */
  until(pattern: RegExp): Promise<string>;
}

/** Starts a command that goes on by itself. Ended with the test, if it has not ended before. */
export function background(
  place: Place,
  args: readonly string[],
  env: Record<string, string> = {},
): Background {
  const child = start(place, args, env);
  const ended = outcome(child);
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await ended;
  });
  let seen = "";
  const watchers = new Set<() => void>();
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on("data", (chunk) => {
      seen += chunk;
      for (const watch of watchers) watch();
    });
  }
  return {
    child,
    ended,
    until: (pattern) =>
      new Promise((resolve, reject) => {
        const watch = (): void => {
          const found = pattern.exec(seen);
          if (found === null) return;
          watchers.delete(watch);
          resolve(found[0]);
        };
        watchers.add(watch);
        void ended.then(({ stderr }) => reject(new Error(`ended without ${pattern}: ${stderr}`)));
        watch();
      }),
  };
}

export interface Served extends Background {
  readonly url: string;
  readonly signIn: string;
}

export async function serve(place: Place, args: readonly string[] = []): Promise<Served> {
  const running = background(place, ["serve", "--port", "0", "--json", ...args]);
  const line = await running.until(/\{"event":"listening".*\}/);
  const { url, sign_in } = JSON.parse(line) as { url: string; sign_in: string };
  return { ...running, url, signIn: sign_in };
}
