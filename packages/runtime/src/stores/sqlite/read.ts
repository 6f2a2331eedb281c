import type { DatabaseSync, StatementSync } from "node:sqlite";
import type { LogStore, ScanOptions } from "../../ports/log-store.ts";
import type { Numbers } from "./numbers.ts";
import type { Positions } from "./positions.ts";

type Read = Pick<LogStore, "scan" | "scanAll" | "scanHashes" | "findEvent" | "lastPosition">;

export function createRead(db: DatabaseSync, numbers: Numbers, positions: Positions): Read {
  const scans = new Map<string, StatementSync>();
  const all = db.prepare(
    `SELECT e.pos, s.id AS stream, e.seq, e.body FROM events e JOIN streams s ON s.no = e.stream
     WHERE e.pos > ? ORDER BY e.pos LIMIT ?`,
  );
  const hashes = db.prepare(
    `SELECT seq, id, type, body, hash FROM events WHERE stream = (SELECT no FROM streams WHERE id = ?) AND seq > ?
     ORDER BY seq LIMIT ?`,
  );
  const byId = db.prepare(
    "SELECT s.id AS stream, e.seq, e.body FROM events e JOIN streams s ON s.no = e.stream WHERE e.id = ?",
  );

  /** One prepared statement a shape of query: lists of types are passed as JSON. */
  function statement({ descending, types }: ScanOptions): StatementSync {
    const some = types === undefined ? "" : " AND type IN (SELECT value FROM json_each(:types))";
    const sql = `SELECT seq, body FROM events WHERE stream = :stream AND seq > :after AND seq <= :upTo${some}
      ORDER BY seq ${descending ? "DESC" : "ASC"} LIMIT :limit`;
    let prepared = scans.get(sql);
    if (prepared === undefined) {
      prepared = db.prepare(sql);
      prepared.setReturnArrays(true);
      scans.set(sql, prepared);
    }
    return prepared;
  }

  return {
    async scan(id, options) {
      const stream = numbers.of(id);
      if (stream === undefined) return [];
      const { after, upTo, limit, types } = options;
      const found = statement(options).all({
        stream,
        after,
        upTo,
        limit,
        ...(types === undefined ? {} : { types: JSON.stringify(types) }),
      }) as unknown as [number, string][];
      return found.map(([seq, body]) => ({ seq, body }));
    },
    async scanAll(after, limit) {
      return all.all(after, limit) as unknown as Awaited<ReturnType<Read["scanAll"]>>;
    },
    async scanHashes(id, after, limit) {
      const found = hashes.all(id, after, limit) as unknown as {
        seq: number;
        id: string;
        type: string;
        body: string;
        hash: Uint8Array;
      }[];
      return found.map((row) => ({ ...row, hash: Buffer.from(row.hash) }));
    },
    async lastPosition() {
      return positions.last();
    },
    async findEvent(id) {
      return byId.get(id) as unknown as Awaited<ReturnType<Read["findEvent"]>>;
    },
  };
}
