import { type ChildProcess, spawn } from "node:child_process";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";

export type SpeakingChild = ChildProcess & { readonly stdout: Readable };

/** Starts a script beside this file. Most of its start is the loading of code, which the first one does for all. */
export function startChild(name: string, args: readonly string[]): SpeakingChild {
  const script = new URL(name, import.meta.url).pathname;
  const cache = { NODE_COMPILE_CACHE: join(tmpdir(), "fairlead-test-code") };
  return spawn(process.execPath, [script, ...args], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, ...cache },
  });
}
