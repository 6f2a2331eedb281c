import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import {
  type Account,
  SERVER_ENV,
  giveTo,
  guardDirectory,
  makeDirectory,
  serverAccount,
  serverBinaries,
} from "./postgres-host.ts";

/** A real PostgreSQL of this process, on a port and a directory of its own. Goes when this process goes, however it ends. */
export interface PostgresServer {
  /** Superuser, database `postgres`. */
  readonly url: string;
  /** Ends the postmaster and every backend with SIGKILL: what a power cut leaves to the program. */
  kill(): Promise<void>;
  /** On the same data and port, after `kill`. */
  start(): Promise<void>;
  /** Ends it and removes the data. */
  stop(): Promise<void>;
}

export interface ServerOptions {
  /** Settings as for `postgres -c`. */
  readonly settings?: Readonly<Record<string, string | number>>;
}

const READY = "ready to accept connections";

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === "object" && address !== null ? address.port : 0));
    });
  });
}

/** Backends make sessions of their own, so a group kill would miss them. */
function childrenOf(pid: number): number[] {
  if (process.platform === "linux") {
    return readdirSync("/proc")
      .filter((name) => /^\d+$/.test(name))
      .filter((name) => {
        try {
          const stat = readFileSync(`/proc/${name}/stat`, "utf8");
          return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]) === pid;
        } catch {
          return false;
        }
      })
      .map(Number);
  }
  const listed = spawnSync("ps", ["-A", "-o", "pid=,ppid="], { encoding: "utf8" }).stdout ?? "";
  return listed
    .split("\n")
    .map((line) => line.trim().split(/\s+/).map(Number))
    .filter(([, parent]) => parent === pid)
    .map(([child]) => child as number);
}

function launch(postgres: string, args: readonly string[], who: Account): Promise<ChildProcess> {
  return new Promise((resolve, reject) => {
    const child = spawn(postgres, args, { ...who, env: SERVER_ENV, stdio: ["ignore", "ignore", "pipe"] });
    let said = "";
    child.stderr.setEncoding("utf8");
    child.stderr.on("data", (text: string) => {
      said = (said + text).slice(-4_000);
      if (said.includes(READY)) resolve(child);
    });
    child.once("error", reject);
    child.once("exit", (code) =>
      reject(new Error(`PostgreSQL ended with ${code} before it was ready:\n${said}`)),
    );
  });
}

export async function startPostgresServer(options: ServerOptions = {}): Promise<PostgresServer> {
  const who = serverAccount();
  const directory = makeDirectory(who);
  const keeper = guardDirectory(directory);
  const data = join(directory, "data");
  const password = randomBytes(9).toString("hex");

  const { initdb, postgres } = serverBinaries(who, directory);
  const passwordFile = join(directory, "password");
  writeFileSync(passwordFile, password, { mode: 0o600 });
  giveTo(who, passwordFile);
  mkdirSync(data, { mode: 0o700 });
  giveTo(who, data);
  const initArgs = [
    "-D",
    data,
    "-U",
    "fairlead",
    "-A",
    "scram-sha-256",
    `--pwfile=${passwordFile}`,
    "-E",
    "UTF8",
    "--locale=C",
    "--no-sync",
  ];
  const made = spawnSync(initdb, initArgs, { ...who, env: SERVER_ENV, encoding: "utf8" });
  if (made.status !== 0) throw new Error(`initdb failed: ${made.stderr || made.error?.message}`);

  let port = await freePort();
  let running: ChildProcess | undefined;
  const args = (): string[] => {
    const settings = {
      listen_addresses: "127.0.0.1",
      unix_socket_directories: "",
      max_connections: 300,
      ...options.settings,
    };
    return [
      "-D",
      data,
      "-p",
      String(port),
      ...Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]),
    ];
  };
  const start = async (movePort: boolean): Promise<void> => {
    // Tries again: another program may take the port first, or a killed server's last backend may still be ending.
    for (let attempt = 1; ; attempt++) {
      try {
        running = await launch(postgres, args(), who);
        return;
      } catch (error) {
        if (attempt === 40) throw error;
        if (movePort) port = await freePort();
        await sleep(100);
      }
    }
  };
  const kill = async (): Promise<void> => {
    const server = running;
    if (server?.pid === undefined) return;
    running = undefined;
    const gone = new Promise((resolve) => server.once("exit", resolve));
    const backends = childrenOf(server.pid);
    for (const pid of [server.pid, ...backends]) {
      try {
        process.kill(pid, "SIGKILL");
      } catch {
        // It ended by itself.
      }
    }
    await gone;
  };
  const stop = async (): Promise<void> => {
    // A killed server leaves its number behind, which may be somebody else's by now.
    if (running === undefined) rmSync(join(data, "postmaster.pid"), { force: true });
    const done = new Promise((resolve) => keeper.once("exit", resolve));
    keeper.ref();
    keeper.stdin?.end();
    await done;
  };

  await start(true);
  return {
    url: `postgres://fairlead:${password}@127.0.0.1:${port}/postgres`,
    kill,
    start: () => start(false),
    stop,
  };
}
