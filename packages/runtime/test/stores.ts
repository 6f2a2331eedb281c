import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach } from "vitest";
import type { StoreKind } from "../src/ports/event-log.contract/support.ts";
import { openMemoryStore } from "../src/stores/memory/open.ts";
import { openPostgresStore } from "../src/stores/postgres/open.ts";
import { openSqliteStore } from "../src/stores/sqlite/open.ts";
import { freshDatabase } from "./support/postgres.ts";

export function temporaryFolder(): { path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), "fairlead-"));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

/** Within a `describe`: new folders, which go after each test. */
export function temporaryFolders(): () => string {
  const folders: ReturnType<typeof temporaryFolder>[] = [];
  afterEach(() => {
    for (const folder of folders.splice(0)) folder.remove();
  });
  return () => {
    const folder = temporaryFolder();
    folders.push(folder);
    return folder.path;
  };
}

export const memory: StoreKind = {
  name: "memory",
  durable: false,
  shared: false,
  async newSite() {
    return { open: async (clock) => openMemoryStore({ clock }), destroy: async () => {} };
  },
};

export const sqlite: StoreKind = {
  name: "SQLite",
  durable: true,
  shared: false,
  async newSite() {
    const folder = temporaryFolder();
    return {
      open: async (clock) => openSqliteStore({ dir: folder.path, clock }),
      destroy: async () => folder.remove(),
    };
  },
};

/** A database of its own on the run's PostgreSQL. */
export const postgres: StoreKind = {
  name: "PostgreSQL",
  durable: true,
  shared: true,
  async newSite() {
    const url = await freshDatabase();
    return { open: () => openPostgresStore({ url }), destroy: async () => {} };
  },
};
