import { FairleadError } from "@fairlead/contract";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

/** Who holds a data directory: for the message to a second process, and for finding the server. */
export interface Holder {
  readonly pid: number;
  readonly since: string;
  /** Where it answers, when it is a server. */
  readonly url?: string;
}

export interface Lock {
  /** Lets others know where this process answers. */
  announce(url: string): void;
  release(): void;
}

const HOLDER_FILE = "holder.json";

/** Who holds the directory, as it said itself; undefined when nobody does. */
export function holderOf(dir: string): Holder | undefined {
  try {
    return JSON.parse(readFileSync(join(dir, HOLDER_FILE), "utf8")) as Holder;
  } catch {
    return undefined;
  }
}

/** Someone else has it; anything else, such as a disk that takes no writes, is nobody's doing. */
function isBusy(error: unknown): boolean {
  return (((error as { errcode?: number }).errcode ?? 0) & 0xff) === SQLITE_BUSY;
}

const SQLITE_BUSY = 5;

/**
 * One process a data directory. The lock is a transaction held open on a database of its own: the
 * operating system lets go of it however the process ends, and readers such as backups are not kept out.
 */
export function lockDirectory(dir: string, since: string): Lock {
  const db = new DatabaseSync(join(dir, "lock.db"));
  try {
    db.exec("PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE");
  } catch (cause) {
    db.close();
    if (!isBusy(cause)) throw cause;
    const holder = holderOf(dir);
    const who =
      holder === undefined
        ? "another process"
        : `process ${holder.pid} since ${holder.since}${holder.url === undefined ? "" : `, which answers at ${holder.url}`}`;
    throw new FairleadError("store_locked", {
      message: `${dir} is in use by ${who}.`,
      details: { dir, ...holder },
      cause,
    });
  }
  const write = (holder: Holder) =>
    writeFileSync(join(dir, HOLDER_FILE), `${JSON.stringify(holder)}\n`, { mode: 0o600 });
  write({ pid: process.pid, since });
  return {
    announce: (url) => write({ pid: process.pid, since, url }),
    release() {
      rmSync(join(dir, HOLDER_FILE), { force: true });
      db.close();
    },
  };
}
