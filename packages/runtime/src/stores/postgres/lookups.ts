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
      select from unnest($2::text[], $3::bigint[], $4::bigint[]) as part (stream, after, up_to)
      join ${schema}.streams s on s.id = part.stream
      join ${schema}.blob_refs r on r.stream = s.no and r.sha256 = b.sha256 and r.seq > part.after and r.seq <= part.up_to)`,
  };
  const seal = {
    name: "load_seal",
    text: `select box from ${schema}.seals where stream = (select no from ${schema}.streams where id = $1) and seq = $2`,
  };
  return {
    loadKeys: (wanted) => ask<KeyRef>({ ...keys, values: [wanted] }),
    async blob(sha256, segments) {
      const values = [
        sha256,
        segments.map((part) => part.stream),
        segments.map((part) => part.after),
        segments.map((part) => part.upTo),
      ];
      return (await ask<{ bytes: Buffer }>({ ...blob, values }))[0]?.bytes;
    },
    sealed: async (stream, seq) => (await ask<{ box: Buffer }>({ ...seal, values: [stream, seq] }))[0]?.box,
  };
}
