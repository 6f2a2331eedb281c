import type { DatabaseSync } from "node:sqlite";
import type { KeyRef } from "../../ports/event-log.ts";
import type { LogStore } from "../../ports/log-store.ts";

export function createLookups(db: DatabaseSync): Pick<LogStore, "loadKeys" | "blob" | "sealed"> {
  const key = db.prepare("SELECT key, stream, seq FROM keys WHERE key = ?");
  const blob = db.prepare(`SELECT bytes FROM blobs b WHERE sha256 = ? AND EXISTS
      (SELECT 1 FROM blob_refs r WHERE r.sha256 = b.sha256 AND r.stream IN (SELECT value FROM json_each(?)))`);
  const seal = db.prepare("SELECT box FROM seals WHERE stream = ? AND seq = ?");
  return {
    async loadKeys(keys) {
      return keys.flatMap((text) => (key.get(text) as unknown as KeyRef | undefined) ?? []);
    },
    async blob(sha256, streams) {
      return blob.get(sha256, JSON.stringify(streams))?.["bytes"] as Uint8Array | undefined;
    },
    async sealed(stream, seq) {
      return seal.get(stream, seq)?.["box"] as Uint8Array | undefined;
    },
  };
}
