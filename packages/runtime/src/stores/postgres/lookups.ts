import type { KeyRef } from "../../ports/event-log.ts";
import type { LogStore } from "../../ports/log-store.ts";
import type { Database } from "./database.ts";

export function createLookups({
  ask,
  target: { schema },
}: Database): Pick<LogStore, "loadKeys" | "blob" | "sealed"> {
  const keys = {
    name: "load_keys",
    text: `select k.key, s.id as stream, k.seq from ${schema}.keys k join ${schema}.streams s on s.no = k.stream where k.key = any ($1)`,
  };
  const blob = {
    name: "load_blob",
    text: `select bytes from ${schema}.blobs b where sha256 = $1 and exists (
      select from ${schema}.blob_refs r join ${schema}.streams s on s.no = r.stream
      where r.sha256 = b.sha256 and s.id = any ($2))`,
  };
  const seal = {
    name: "load_seal",
    text: `select box from ${schema}.seals where stream = (select no from ${schema}.streams where id = $1) and seq = $2`,
  };
  return {
    loadKeys: (wanted) => ask<KeyRef>({ ...keys, values: [wanted] }),
    blob: async (sha256, streams) =>
      (await ask<{ bytes: Buffer }>({ ...blob, values: [sha256, streams] }))[0]?.bytes,
    sealed: async (stream, seq) => (await ask<{ box: Buffer }>({ ...seal, values: [stream, seq] }))[0]?.box,
  };
}
