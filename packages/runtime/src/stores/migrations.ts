import { FairleadError } from "@fairlead/contract";
import { createHash } from "node:crypto";
import { readFileSync, readdirSync } from "node:fs";

/** One numbered SQL file: `0001-what-it-does.sql`. */
export interface Migration {
  readonly version: number;
  readonly name: string;
  readonly sql: string;
  readonly checksum: string;
}

/** A migration as a database remembers it. */
export type Applied = Pick<Migration, "version" | "name" | "checksum">;

/** All migrations of a store, in order. A file out of sequence is a mistake of ours. */
export function readMigrations(folder: URL): readonly Migration[] {
  const files = readdirSync(folder).filter((file) => file.endsWith(".sql"));
  return files.toSorted().map((file, i) => {
    const version = Number(file.slice(0, 4));
    if (version !== i + 1) throw new Error(`migration ${file} is out of sequence: expected number ${i + 1}`);
    const sql = readFileSync(new URL(file, folder), "utf8");
    return {
      version,
      name: file.slice(5, -4),
      sql,
      checksum: createHash("sha256").update(sql).digest("hex"),
    };
  });
}

/** What is still to be done. Throws `store_newer` for a database that a newer program has written. */
export function pendingMigrations(
  all: readonly Migration[],
  applied: readonly Applied[],
): readonly Migration[] {
  for (const done of applied) {
    const ours = all.find((migration) => migration.version === done.version);
    if (ours === undefined) {
      throw new FairleadError("store_newer", {
        message: `The store has schema ${done.version} (${done.name}); this program knows up to ${all.length}.`,
        details: { store: done.version, program: all.length },
      });
    }
    if (ours.checksum !== done.checksum) {
      throw new FairleadError("store_newer", {
        message: `The store's schema ${done.version} (${done.name}) is not the one this program knows.`,
        details: { version: done.version },
      });
    }
  }
  return all.filter((migration) => !applied.some((done) => done.version === migration.version));
}
