import { existsSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { readMigrations } from "../migrations.ts";

const MIGRATIONS = new URL("./migrations/", import.meta.url);

/** A store as it lies there, looked at without opening it for work: nothing is locked, made or migrated. */
export interface Inspection {
  /** The last migration it has; null when there is no store yet. */
  readonly schema: number | null;
  /** The last migration that this program knows. */
  readonly known: number;
}

/** Throws when the file is there and is not a database of ours. */
export function inspectSqlite(dir: string): Inspection {
  const known = readMigrations(MIGRATIONS).length;
  const file = join(dir, "fairlead.db");
  if (!existsSync(file)) return { schema: null, known };
  const db = new DatabaseSync(file, { readOnly: true });
  try {
    const row = db.prepare("SELECT max(version) AS version FROM migrations").get() as {
      version: number | null;
    };
    return { schema: row.version, known };
  } finally {
    db.close();
  }
}
