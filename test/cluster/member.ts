import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { cutConnections } from "./witness.ts";

const MAIN = fileURLToPath(new URL("../../packages/cli/src/main.ts", import.meta.url));

export interface Surroundings {
  /** The database, by a connection of nobody's. */
  readonly store: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** For `serve`, beside where and on what. */
  readonly args?: readonly string[];
}

/** One of several equal processes, which is killed, frozen and started again under the same name. */
export interface Member {
  readonly name: string;
  /** Where it answers; undefined while it is not there, or stands still. */
  url(): string | undefined;
  /** Names this life of it, to the database. */
  life(): string;
  start(): Promise<void>;
  /** With -9. Resolves when it is gone. */
  kill(): Promise<void>;
  freeze(): void;
  thaw(): void;
  /** Takes its connections to the database away. */
  cut(): Promise<void>;
  /** Asks it to stop. Resolves with its exit code. */
  terminate(): Promise<number | null>;
}

export function createMember(name: string, { store, cwd, env, args = [] }: Surroundings): Member {
  let lives = 0;
  let child: ChildProcess | undefined;
  let url: string | undefined;
  let still = false;
  let said = "";
  let gone: Promise<number | null> = Promise.resolve(null);
  const life = (): string => `${name}.${lives}`;

  /** Resolves with its address. Rejects when it ends before it has one. */
  function listening(started: ChildProcess): Promise<string> {
    return new Promise((resolve, reject) => {
      started.stdout?.setEncoding("utf8").on("data", (text: string) => {
        said += text;
        const found = /\{"event":"listening".*\}/.exec(said);
        if (found !== null) resolve((JSON.parse(found[0]) as { url: string }).url);
      });
      started.stderr?.setEncoding("utf8").on("data", (text: string) => (said = (said + text).slice(-20_000)));
      void gone.then((code) => reject(new Error(`${life()} ended with ${code}: ${said}`)));
    });
  }

  return {
    name,
    life,
    url: () => (still ? undefined : url),
    async start() {
      lives += 1;
      said = "";
      still = false;
      const own = new URL(store);
      own.searchParams.set("application_name", life());
      const started = spawn(
        process.execPath,
        [MAIN, "serve", "--port", "0", "--json", "--store", own.href, ...args],
        { cwd, env, stdio: ["ignore", "pipe", "pipe"] },
      );
      child = started;
      gone = once(started, "close").then(([code]) => {
        if (child === started) url = undefined;
        return code as number | null;
      });
      url = await listening(started);
    },
    async kill() {
      url = undefined;
      child?.kill("SIGKILL");
      await gone;
    },
    freeze() {
      still = true;
      child?.kill("SIGSTOP");
    },
    thaw() {
      child?.kill("SIGCONT");
      still = false;
    },
    cut: () => cutConnections(store, life()),
    terminate() {
      child?.kill("SIGTERM");
      return gone;
    },
  };
}
