import { createHash } from "node:crypto";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as after } from "node:timers/promises";
import { DatabaseSync } from "node:sqlite";
import { FairleadError } from "@fairlead/contract";

/** Thrown where another process was waited for long enough. */
export class Occupied extends FairleadError {
  constructor(id: string) {
    super("workspace_unavailable", {
      message: "Another process works with these files, and has not finished.",
      details: { workspace_id: id },
    });
  }
}

/** Work on one workspace while no other process works on it. Waits for so long, then throws Occupied. Not to be nested. */
export type Locked = <T>(id: string, patienceMs: number, work: () => Promise<T>) => Promise<T>;

const SQLITE_BUSY = 5;
const PAUSE_MS = 10;

/**
 * Over all processes that share the directory: a transaction held open on a database, which the operating system lets go of
 * however its process ends. A file that says who has it would stay, and a process in another container cannot tell whether
 * that one lives. To remove a file that others wait for would let two in: there are a few for all workspaces, and they stay.
 */
export function createLocks(dir: string): Locked {
  return async (id, patienceMs, work) => {
    mkdirSync(dir, { recursive: true, mode: 0o700 });
    const db = new DatabaseSync(join(dir, fileOf(id)), { timeout: 0 });
    try {
      const end = performance.now() + patienceMs;
      while (!tryLock(db)) {
        if (performance.now() >= end) throw new Occupied(id);
        await after(PAUSE_MS);
      }
      return await work();
    } finally {
      db.close();
    }
  };
}

function fileOf(id: string): string {
  return createHash("sha256").update(id).digest("hex").slice(0, 2);
}

/** Nothing is written, so nothing is on the disk to be cleaned up. */
function tryLock(db: DatabaseSync): boolean {
  try {
    db.exec("BEGIN EXCLUSIVE");
    return true;
  } catch (error) {
    if ((((error as { errcode?: number }).errcode ?? 0) & 0xff) === SQLITE_BUSY) return false;
    throw error;
  }
}
