import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Captured, Command, Processes, Ran } from "../ports/processes.ts";
import type { Child } from "../ports/tool.ts";
import { headTail } from "./head-tail.ts";
import { MARK, members, signal as send } from "./process-group.ts";

/** How long output is waited for once the command has ended; a process it left behind may hold the pipe for ever. */
const DRAIN_MS = 250;
const LOOK_EVERY_MS = 20;
/** After force, what is still there is in the kernel's hands. */
const GIVE_UP_MS = 5_000;

/** Commands on this machine, each in a process group of its own. */
export const hostProcesses: Processes = {
  async run(command, options) {
    const mark = randomBytes(12).toString("hex");
    const child = await start(command, mark, options.input);
    const pid = child.pid as number;
    const output = [headTail(options.keep), headTail(options.keep)] as const;
    child.stdout?.on("data", (chunk: Buffer) => output[0].add(chunk));
    child.stderr?.on("data", (chunk: Buffer) => output[1].add(chunk));
    const exited = new Promise<readonly [number | null, string | null]>((resolve) => {
      child.once("exit", (code, name) => resolve([code, name]));
    });
    const closed = new Promise<void>((resolve) => void child.once("close", () => resolve()));

    const end = () => endGroup(pid, mark, options.graceMs, command.keeper === true);
    let stopping: Promise<readonly Child[]> | undefined;
    const stop = () => void (stopping = end());
    if (options.signal.aborted) stop();
    options.signal.addEventListener("abort", stop, { once: true });
    const [code, name] = await exited;
    options.signal.removeEventListener("abort", stop);
    const stopped = stopping !== undefined;

    if (!stopped) await Promise.race([closed, sleep(DRAIN_MS)]);
    const left = await (stopping ?? end());
    await Promise.race([closed, sleep(DRAIN_MS)]);
    child.stdout?.destroy();
    child.stderr?.destroy();
    return ran({ code, name, stopped, pid, left, output: [output[0].done(), output[1].done()] });
  },
};

/** Rejects when the command cannot be started. */
function start(
  { argv: [file, ...args], argv0, cwd, env }: Command,
  mark: string,
  input: string | undefined,
): Promise<ChildProcess> {
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, {
      cwd,
      ...(argv0 === undefined ? {} : { argv0 }),
      env: { ...env, [MARK]: mark },
      detached: true,
      stdio: [input === undefined ? "ignore" : "pipe", "pipe", "pipe"],
    });
    // One that reads nothing, or not all, has had enough.
    child.stdin?.on("error", () => {});
    child.stdin?.end(input);
    child.once("spawn", () => resolve(child));
    child.once("error", reject);
  });
}

/**
 * Asks all to end, waits, forces those that did not, and waits until they are gone. Says how each ended. A keeper is
 * only forced: were it asked, it would end at once and by force what it keeps.
 */
async function endGroup(
  group: number,
  mark: string,
  graceMs: number,
  keeper: boolean,
): Promise<readonly Child[]> {
  const ended = new Map<number, string>();
  for (const [name, waitMs] of [
    ["SIGTERM", graceMs],
    ["SIGKILL", GIVE_UP_MS],
  ] as const) {
    // One that is born while we look is found in the next round.
    for (let waited = 0; waited <= waitMs; waited += LOOK_EVERY_MS) {
      const left = members(group, mark);
      if (left.length === 0) return [...ended].map(([pid, how]) => ({ pid, ended: how }));
      const spared = keeper && name === "SIGTERM" ? group : undefined;
      for (const pid of left)
        if (pid !== spared && ended.get(pid) !== `killed ${name}`) {
          ended.set(pid, `killed ${name}`);
          send(pid, name);
        }
      if (waited === 0 && spared === undefined) send(-group, name);
      await sleep(LOOK_EVERY_MS);
    }
  }
  for (const pid of members(group, mark)) ended.set(pid, "still running");
  return [...ended].map(([pid, how]) => ({ pid, ended: how }));
}

interface Facts {
  readonly code: number | null;
  readonly name: string | null;
  readonly stopped: boolean;
  readonly pid: number;
  readonly left: readonly Child[];
  readonly output: readonly [Captured, Captured];
}

function ran({ code, name, stopped, pid, left, output: [stdout, stderr] }: Facts): Ran {
  const own = { pid, ended: code === null ? `killed ${name}` : `exited ${code}` };
  return {
    code,
    signal: name,
    stopped,
    stdout,
    stderr,
    children: [own, ...left.filter((child) => child.pid !== pid)],
  };
}
