import type { LogStore } from "../../ports/log-store.ts";
import type { Database } from "./database.ts";

type Read = Pick<LogStore, "scan" | "scanAll" | "scanHashes" | "findEvent" | "lastPosition">;
type Found<K extends keyof Read> = NonNullable<Awaited<ReturnType<Read[K]>>>;

export function createRead({ ask, target: { schema } }: Database): Read {
  const scan = (order: "asc" | "desc") => `
    select seq, body from ${schema}.events
    where stream = (select no from ${schema}.streams where id = $1) and seq > $2 and seq <= $3
      and ($5::text[] is null or type = any ($5))
    order by seq ${order} limit $4`;
  const forward = { name: "scan_forward", text: scan("asc") };
  const backward = { name: "scan_backward", text: scan("desc") };
  const all = {
    name: "scan_all",
    text: `select e.pos, s.id as stream, e.seq, e.body from ${schema}.events e join ${schema}.streams s on s.no = e.stream
      where e.pos > $1 order by e.pos limit $2`,
  };
  const hashes = {
    name: "scan_hashes",
    text: `select seq, id, type, body, hash from ${schema}.events
      where stream = (select no from ${schema}.streams where id = $1) and seq > $2 order by seq limit $3`,
  };
  const byId = {
    name: "find_event",
    text: `select s.id as stream, e.seq, e.body from ${schema}.events e join ${schema}.streams s on s.no = e.stream where e.id = $1`,
  };
  const last = {
    name: "last_position",
    text: `select case when is_called then last_value else 0 end as last from ${schema}.positions`,
  };
  return {
    scan(stream, { after, upTo, descending, limit, types }) {
      const values = [stream, after, bound(upTo), limit, types ?? null];
      return ask<Found<"scan">[number]>({ ...(descending ? backward : forward), values });
    },
    scanAll: (after, limit) => ask<Found<"scanAll">[number]>({ ...all, values: [after, limit] }),
    scanHashes: (stream, after, limit) =>
      ask<Found<"scanHashes">[number]>({ ...hashes, values: [stream, after, limit] }),
    lastPosition: async () => (await ask<{ last: number }>({ ...last, values: [] }))[0]?.last ?? 0,
    findEvent: async (id) => (await ask<Found<"findEvent">>({ ...byId, values: [id] }))[0],
  };
}

/** The database's integers have no infinity. */
function bound(seq: number): number {
  return Math.min(seq, Number.MAX_SAFE_INTEGER);
}
