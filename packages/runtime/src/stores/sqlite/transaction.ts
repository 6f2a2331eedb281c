import { FairleadError } from "@fairlead/contract";
import type { DatabaseSync } from "node:sqlite";

/** Runs the work in one transaction: committed when `keep` says so, else taken back. */
export type Transaction = <T>(work: () => T, keep?: (result: T) => boolean) => T;

export function createTransaction(db: DatabaseSync): Transaction {
  const begin = db.prepare("BEGIN IMMEDIATE");
  const commit = db.prepare("COMMIT");
  const rollback = db.prepare("ROLLBACK");
  return (work, keep = () => true) => {
    try {
      begin.run();
      const result = work();
      if (keep(result)) commit.run();
      else rollback.run();
      return result;
    } catch (error) {
      if (db.isTransaction) rollback.run();
      throw asStoreError(error);
    }
  };
}

/** For what is made good again, or flushed by what comes after it in the same write-ahead log. */
export function createUnflushed(db: DatabaseSync, transaction: Transaction): Transaction {
  return (work, keep) => {
    db.exec("PRAGMA synchronous = NORMAL");
    try {
      return transaction(work, keep);
    } finally {
      db.exec("PRAGMA synchronous = FULL");
    }
  };
}

const SQLITE_BUSY = 5;
const SQLITE_READONLY = 8;
const SQLITE_IOERR = 10;
const SQLITE_FULL = 13;
const STORE_FAULTS: ReadonlySet<number> = new Set([SQLITE_BUSY, SQLITE_READONLY, SQLITE_IOERR, SQLITE_FULL]);

/** A full disk, an I/O fault or a foreign writer is the store's matter; anything else is the change's own fault. */
function asStoreError(error: unknown): unknown {
  const code = (error as { errcode?: number }).errcode;
  if (code === undefined || !STORE_FAULTS.has(code & 0xff)) return error;
  return new FairleadError("store_unavailable", {
    message: `SQLite could not write: ${(error as Error).message}.`,
    cause: error,
  });
}
