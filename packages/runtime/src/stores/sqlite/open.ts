import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { Clock } from "../../ports/clock.ts";
import type { LogStore } from "../../ports/log-store.ts";
import { type Applied, pendingMigrations, readMigrations } from "../migrations.ts";
import { createAppend } from "./append.ts";
import { createLeases } from "./leases.ts";
import { lockDirectory } from "./lock.ts";
import { createLookups } from "./lookups.ts";
import { createNumbers } from "./numbers.ts";
import { createRead } from "./read.ts";
import { createRows } from "./rows.ts";
import { createStreams } from "./streams.ts";

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
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  const lock = lockDirectory(dir, new Date(clock.now()).toISOString());
  const file = join(dir, "fairlead.db");
  let db: DatabaseSync;
  try {
    db = new DatabaseSync(file);
    // An append is acknowledged after a flush to disk; the large checkpoint interval keeps flushes few.
    db.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA cache_size = -65536;
      PRAGMA wal_autocheckpoint = 10000; PRAGMA busy_timeout = 5000; PRAGMA temp_store = MEMORY`);
    migrate(db, clock);
  } catch (error) {
    lock.release();
    throw error;
  }
  const numbers = createNumbers(db);
  return {
    name: `sqlite (${file})`,
    remote: false,
    ...createAppend(db, numbers),
    ...createRead(db, numbers),
    ...createStreams(db),
    ...createRows(db),
    ...createLookups(db),
    ...createLeases(db, clock),
    watch: () => () => {},
    announce: lock.announce,
    async ping() {
      db.exec("SELECT 1");
    },
    async close() {
      db.close();
      lock.release();
    },
  };
}

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
      db.exec(sql);
      record.run(version, name, checksum, clock.now());
    }
    db.exec("COMMIT");
  } catch (error) {
    if (db.isTransaction) db.exec("ROLLBACK");
    throw error;
  }
}
