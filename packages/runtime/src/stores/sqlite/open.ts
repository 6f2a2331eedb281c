import { closeSync, openSync } from "node:fs";
import { join } from "node:path";
import { FairleadError } from "@fairlead/contract";
import { DatabaseSync } from "node:sqlite";
import type { Clock } from "../../ports/clock.ts";
import type { LogStore } from "../../ports/log-store.ts";
import { makeDirectory } from "../make-directory.ts";
import { type Applied, pendingMigrations, readMigrations } from "../migrations.ts";
import { createAppend } from "./append.ts";
import { writeLateRecords } from "./late-records.ts";
import { createLateRows } from "./late-rows.ts";
import { createLeases } from "./leases.ts";
import { type Lock, lockDirectory } from "./lock.ts";
import { createLookups } from "./lookups.ts";
import { createNumbers } from "./numbers.ts";
import { createPositions } from "./positions.ts";
import { createRead } from "./read.ts";
import { createRows } from "./rows.ts";
import { createStreams } from "./streams.ts";
import { createTransaction, createUnflushed } from "./transaction.ts";

const MIGRATIONS = new URL("./migrations/", import.meta.url);

export interface SqliteOptions {
  /** The data directory; made if missing, with access for its owner only. */
  readonly dir: string;
  readonly clock: Clock;
}

export interface SqliteStore extends LogStore {
  /** Tells a second process that wants this directory where the first one answers. */
  announce(url: string): void;
}

/** Throws `store_locked` when another process has the directory, `store_newer` when a newer program wrote it. */
export function openSqliteStore({ dir, clock }: SqliteOptions): SqliteStore {
  makeDirectory(dir);
  const lock = lockDirectory(dir, new Date(clock.now()).toISOString());
  const file = join(dir, "fairlead.db");
  let db: DatabaseSync | undefined;
  try {
    // Made by us first, because SQLite would make it readable for others; its helper files follow it.
    closeSync(openSync(file, "a", 0o600));
    db = new DatabaseSync(file);
    demandOurs(db);
    configure(db);
    migrate(db, clock);
    return storeOver(db, file, { clock, lock });
  } catch (error) {
    db?.close();
    lock.release();
    throw error;
  }
}

function storeOver(
  db: DatabaseSync,
  file: string,
  { clock, lock }: { readonly clock: Clock; readonly lock: Lock },
): SqliteStore {
  const { held, raised, storing, stop, ...leases } = createLeases(db, clock);
  const transaction = storing(createTransaction(db));
  const unflushed = createUnflushed(db, transaction);
  const numbers = createNumbers(db);
  const positions = createPositions(db);
  const late = createLateRows(db, transaction, unflushed);
  return {
    name: `sqlite (${file})`,
    apart: false,
    alone: true,
    later: late,
    ...createAppend(db, transaction, { numbers, positions }),
    ...createRead(db, numbers, positions),
    ...createStreams(db, transaction, { positions, late, raised }),
    ...createRows(db, held, late),
    ...createLookups(db),
    ...leases,
    watch: () => () => {},
    announce: lock.announce,
    async ping() {
      // A write that changes nothing, all the way to the disk: a full one can still be read.
      transaction(() => db.exec("UPDATE positions SET last = last"));
    },
    async close() {
      late.stop();
      stop(unflushed);
      db.close();
      lock.release();
    },
  };
}

/**
 * Settings that decide what an acknowledgement is worth are asked back: SQLite ignores what it cannot do. Whatever a page
 * gives up is overwritten at once, not only in a purge: a page that was split earlier keeps copies of what it gave away.
 * The write-ahead log begins anew after 16 MB: a flush takes twice as long while the file still grows.
 */
function configure(db: DatabaseSync): void {
  db.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA cache_size = -65536;
    PRAGMA wal_autocheckpoint = 4000; PRAGMA busy_timeout = 500; PRAGMA temp_store = MEMORY; PRAGMA secure_delete = ON`);
  for (const [name, wanted] of [
    ["journal_mode", "wal"],
    ["synchronous", 2],
  ] as const) {
    const found = db.prepare(`PRAGMA ${name}`).get()?.[name];
    if (found !== wanted) {
      throw new FairleadError("store_unavailable", {
        message: `SQLite cannot write safely here: ${name} is ${String(found)}, not ${wanted}. Is this a network file system?`,
      });
    }
  }
}

/** A database that has tables, but none of ours, is another program's: it gets none from us. */
function demandOurs(db: DatabaseSync): void {
  const tables = db.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all();
  if (tables.length === 0 || tables.some(({ name }) => name === "migrations")) return;
  throw new FairleadError("store_unavailable", {
    message: `${db.location()} is a database of another program. Choose another directory; nothing in this one was changed.`,
  });
}

/** What a migration needs that SQL cannot say. */
const BEFORE: Readonly<Record<number, (db: DatabaseSync) => void>> = { 3: writeLateRecords };

/** One transaction: a second process waits, then finds the work done. */
function migrate(db: DatabaseSync, clock: Clock): void {
  const all = readMigrations(MIGRATIONS);
  db.exec("BEGIN IMMEDIATE");
  try {
    db.exec(
      "CREATE TABLE IF NOT EXISTS migrations (version INTEGER PRIMARY KEY, name TEXT NOT NULL, checksum TEXT NOT NULL, at INTEGER NOT NULL) STRICT",
    );
    const applied = db
      .prepare("SELECT version, name, checksum FROM migrations ORDER BY version")
      .all() as unknown as Applied[];
    const record = db.prepare("INSERT INTO migrations (version, name, checksum, at) VALUES (?, ?, ?, ?)");
    for (const { version, name, sql, checksum } of pendingMigrations(all, applied)) {
      BEFORE[version]?.(db);
      db.exec(sql);
      record.run(version, name, checksum, clock.now());
    }
    db.exec("COMMIT");
  } catch (error) {
    if (db.isTransaction) db.exec("ROLLBACK");
    throw error;
  }
}
