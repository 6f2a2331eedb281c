import { existsSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
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
  try {
    return { schema: schemaOf(file), known };
  } catch (error) {
    if (!cannotWrite(error)) throw error;
    // SQLite needs a file of its own beside the log, if only to look. Where nothing can be written, nothing changes either.
    const still = pathToFileURL(file);
    still.searchParams.set("immutable", "1");
    return { schema: schemaOf(still), known };
  }
}

function schemaOf(file: string | URL): number | null {
  const db = new DatabaseSync(file, { readOnly: true });
  try {
    const row = db.prepare("SELECT max(version) AS version FROM migrations").get();
    return row?.["version"] as number | null;
  } finally {
    db.close();
  }
}

const SQLITE_READONLY = 8;
const SQLITE_CANTOPEN = 14;

function cannotWrite(error: unknown): boolean {
  const kind = ((error as { errcode?: number }).errcode ?? 0) & 0xff;
  return kind === SQLITE_READONLY || kind === SQLITE_CANTOPEN;
}
