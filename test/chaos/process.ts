import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Counted } from "./kill-at.ts";
import type { FromServer, ServedSite, ToServer } from "./server-words.ts";

export interface Gone {
  readonly signal: string | null;
  readonly said: string;
  /** The sites that came to the point where they were to be killed. */
  readonly reached: ReadonlySet<number>;
}

export interface Servers {
  /** Where each site answers; rejects when the process ends before. */
  readonly urls: readonly Promise<string>[];
  /** How the process ended, and what it complained of. */
  readonly gone: Promise<Gone>;
  /** For a process that is to be killed: this site will not be asked for more. */
  ended(site: number): void;
  /** As an operator would. What each site has written in the life of this process. */
  stop(): Promise<readonly Counted[]>;
  kill(): void;
}

const ENTRY = new URL("./server.ts", import.meta.url);

/** One process that serves these sites, each at an address of its own. */
export function startServers(sites: readonly ServedSite[]): Servers {
  const child = fork(ENTRY, [JSON.stringify(sites)], {
    stdio: ["ignore", "pipe", "pipe", "ipc"],
    // Most of its start is the loading of code, which the first one does for all.
    env: { ...process.env, NODE_COMPILE_CACHE: join(tmpdir(), "fairlead-test-code") },
    execArgv: [],
  });
  let said = "";
  let reached = "";
  child.stderr?.setEncoding("utf8").on("data", (text: string) => (said += text));
  child.stdout?.setEncoding("utf8").on("data", (text: string) => (reached += text));
  const gone = once(child, "close").then(([, signal]) => ({
    signal: signal as string | null,
    said,
    reached: new Set(reached.split("\n").filter(Boolean).map(Number)),
  }));
  const urls = sites.map(() => Promise.withResolvers<string>());
  const counted = Promise.withResolvers<readonly Counted[]>();
  child.on("message", (words: FromServer) => {
    if ("url" in words) urls[words.site]?.resolve(words.url);
    else counted.resolve(words.counted);
  });
  void gone.then(() => {
    const lost = new Error(`The process ended: ${said}`);
    for (const { reject } of [...urls, counted]) reject(lost);
  });
  // Nobody may be waiting when it dies.
  for (const { promise } of [...urls, counted]) promise.catch(() => {});
  return {
    urls: urls.map(({ promise }) => promise),
    gone,
    ended: (site) => tell(child, { ended: site }),
    async stop() {
      tell(child, { stop: true });
      const all = await counted.promise;
      await gone;
      return all;
    },
    kill: () => void child.kill("SIGKILL"),
  };
}

function tell(child: ChildProcess, words: ToServer): void {
  // It may have died meanwhile.
  if (child.connected) child.send(words, () => {});
}
