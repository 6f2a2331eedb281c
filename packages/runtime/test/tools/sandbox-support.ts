import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { homedir, userInfo } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { openSandbox, type SandboxOptions } from "../../src/host/open-sandbox.ts";
import { hostProcesses } from "../../src/host/processes.ts";
import { shellArgv, shellEnv } from "../../src/host/shell-env.ts";
import type { Sandbox } from "../../src/ports/processes.ts";
import type { ToolContext } from "../../src/ports/tool.ts";
import { shell } from "../../src/tools/shell.ts";
import { type Tree, tree } from "./support.ts";

export function elsewhere(): string | undefined {
  const places = [
    join(import.meta.dirname, "../../../../node_modules/.cache"),
    homedir(),
    userInfo().homedir,
  ];
  return places.find((path) => !/^\/(tmp|var\/tmp|run)\//.test(path));
}

/** Not in /tmp: there everything is hidden, whatever is said of it. */
export function treeElsewhere(): Tree {
  const base = elsewhere();
  if (base === undefined) throw new Error("There is no place for tests outside of /tmp.");
  mkdirSync(base, { recursive: true });
  return tree({}, base);
}

/** A home, a data directory and a workspace with things in them that must not be seen. */
export interface House {
  readonly home: string;
  readonly data: string;
  readonly options: SandboxOptions;
}

export function house(t: Tree, more: Partial<SandboxOptions> = {}): House {
  const [home, data] = [join(t.outside, "home"), join(t.outside, "data")];
  put(join(home, ".ssh/id_ed25519"), "PRIVATE");
  put(join(home, ".config/fairlead/token"), "PRIVATE");
  put(join(home, ".netrc"), "PRIVATE");
  put(join(home, "notes.txt"), "open\n");
  put(join(data, "log.sqlite"), "PRIVATE");
  const options: SandboxOptions = {
    mode: "bubblewrap",
    network: "deny",
    workspace: t.workspace,
    home,
    hidden: [data],
    fixed: [],
    ...more,
  };
  return { home, data, options };
}

export function put(path: string, content: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}

export function shellIn(sandbox: Sandbox) {
  return shell({ processes: hostProcesses, sandbox, argv: shellArgv(), env: shellEnv(process.env) });
}

export interface Said {
  readonly exit_code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export async function say(sandbox: Sandbox, command: string, where: ToolContext): Promise<Said> {
  return (await shellIn(sandbox).run({ command }, where)).result as Said;
}

/** Why tests with a real sandbox cannot run here; undefined where they can. */
export async function reasonToSkip(): Promise<string | undefined> {
  if (elsewhere() === undefined)
    return "this checkout and the home directory lie in /tmp, where everything is hidden anyway";
  const sandbox = await openSandbox({
    mode: "auto",
    network: "deny",
    workspace: process.cwd(),
    home: "/nonexistent",
    hidden: [],
    fixed: [],
  });
  return sandbox.name === "bubblewrap" ? undefined : sandbox.isolation.reason;
}

/** The processes of this machine whose command line has this word. */
export function processesWith(word: string): readonly number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0").includes(word);
      } catch {
        return false;
      }
    })
    .map(Number);
}

export async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await sleep(5);
}

export async function appears(path: string): Promise<void> {
  await until(() => existsSync(path));
}
