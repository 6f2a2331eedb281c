import type { ChildProcess } from "node:child_process";
import { spawn } from "node:child_process";
import { once } from "node:events";

import type { LineLinkOptions } from "../lines/link.ts";
import { lineLink } from "../lines/link.ts";
import { AhpError } from "../protocol/errors.ts";
import { multiplex } from "../transport/multiplex.ts";
import type { Transport } from "../transport/transport.ts";

export interface StdioOptions extends LineLinkOptions {
  readonly command: string;
  readonly args?: readonly string[];
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
  /** Where the harness's logs go. */
  readonly stderr?: "inherit" | "ignore";
  /** How long a closing harness may take before it is killed. */
  readonly graceMs?: number;
}

/** Starts a harness as a child process. It is not started again when it dies: its owner should know. */
export function stdio(options: StdioOptions): Transport {
  return {
    name: "stdio",
    lifetime: "process",
    async connect({ onStray }) {
      const child = spawn(options.command, [...(options.args ?? [])], {
        cwd: options.cwd,
        env: options.env,
        stdio: ["pipe", "pipe", options.stderr ?? "inherit"],
      });
      const { stdin, stdout } = child;
      try {
        await once(child, "spawn");
      } catch (error) {
        const message = `Cannot start ${options.command}: ${(error as Error).message}`;
        throw new AhpError("connection_failed", message, { cause: error });
      }
      // A later error is one of kill; the streams tell the rest.
      child.on("error", () => {});
      const connection = multiplex(lineLink(stdout, stdin, options), { onStray });
      return {
        ...connection,
        get alive() {
          return connection.alive;
        },
        async close() {
          await connection.close();
          await stop(child, options.graceMs ?? 2_000);
        },
      };
    },
  };
}

/** Its input has ended; a harness that does not follow is told to, then made to. */
async function stop(child: ChildProcess, graceMs: number): Promise<void> {
  for (const signal of ["SIGTERM", "SIGKILL"] as const) {
    if (await exits(child, graceMs)) return;
    child.kill(signal);
  }
  await exits(child, graceMs);
}

async function exits(child: ChildProcess, withinMs: number): Promise<boolean> {
  if (child.exitCode !== null || child.signalCode !== null) return true;
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => resolve(false), withinMs);
  child.once("exit", () => resolve(true));
  return promise.finally(() => clearTimeout(timer));
}
