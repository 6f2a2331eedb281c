import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";

export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** The path of a file of this package. */
export function fileOf(path: string): string {
  return fileURLToPath(new URL(`../${path}`, import.meta.url));
}

/** Runs a script of this package to its end. */
export function runScript(
  path: string,
  args: readonly string[] = [],
  env: NodeJS.ProcessEnv = {},
): Promise<Ran> {
  return runNode([fileOf(path), ...args], env);
}

export function runNode(args: readonly string[], env: NodeJS.ProcessEnv = {}, cwd?: string): Promise<Ran> {
  return new Promise((resolve) => {
    const options = { env: { ...process.env, ...env }, cwd, timeout: 60_000, maxBuffer: 1e8 };
    const child = execFile(process.execPath, args, options, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : (child.exitCode ?? -1), stdout, stderr });
    });
    child.stdin?.end();
  });
}
