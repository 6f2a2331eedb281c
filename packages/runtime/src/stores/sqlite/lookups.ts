import type { DatabaseSync } from "node:sqlite";
import type { KeyRef } from "../../ports/event-log.ts";
import type { LogStore } from "../../ports/log-store.ts";

export function createLookups(db: DatabaseSync): Pick<LogStore, "loadKeys" | "blob" | "sealed"> {
  const key = db.prepare("SELECT key, stream, seq FROM keys WHERE key = ?");
  const blob = db.prepare(`SELECT bytes FROM blobs WHERE sha256 = :sha256 AND EXISTS (
       SELECT 1 FROM blob_refs r JOIN json_each(:segments) s ON r.stream = s.value ->> 'stream'
       WHERE r.sha256 = :sha256 AND r.seq > s.value ->> 'after' AND r.seq <= s.value ->> 'upTo')`);
  const seal = db.prepare("SELECT box FROM seals WHERE stream = ? AND seq = ?");
  return {
    async loadKeys(keys) {
      return keys.flatMap((text) => (key.get(text) as unknown as KeyRef | undefined) ?? []);
    },
    async blob(sha256, segments) {
      return blob.get({ sha256, segments: JSON.stringify(segments) })?.["bytes"] as Uint8Array | undefined;
    },
    async sealed(stream, seq) {
      return seal.get(stream, seq)?.["box"] as Uint8Array | undefined;
    },
  };
}
