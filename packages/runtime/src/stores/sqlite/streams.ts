import type { DatabaseSync } from "node:sqlite";
import type { LogStore, Retention, StreamRow } from "../../ports/log-store.ts";
import type { LateRows } from "./late-rows.ts";
import type { Leases } from "./leases.ts";
import type { Positions } from "./positions.ts";
import type { Transaction } from "./transaction.ts";

type Streams = Pick<LogStore, "loadStreams" | "listStreams" | "family" | "retain">;

const COLUMNS = `id, root, parent, rev, owner, kind, project, broadcast, created_by, created_at,
  base_seq, base_hash, floor_seq, floor_hash, head_seq, head_hash, epoch, state`;

type Raw = Omit<StreamRow, "broadcast"> & { readonly broadcast: number };

function rowOf(raw: unknown, raised: Leases["raised"]): StreamRow {
  const row = raw as Raw;
  return {
    ...row,
    epoch: raised(row.id) ?? row.epoch,
    broadcast: row.broadcast === 1,
    base_hash: Buffer.from(row.base_hash),
    floor_hash: Buffer.from(row.floor_hash),
    head_hash: Buffer.from(row.head_hash),
  };
}

export function createStreams(
  db: DatabaseSync,
  transaction: Transaction,
  { positions, late, raised }: { positions: Positions; late: LateRows; raised: Leases["raised"] },
): Streams {
  const one = db.prepare(`SELECT ${COLUMNS} FROM streams WHERE id = ?`);
  const page = db.prepare(`SELECT ${COLUMNS} FROM streams WHERE id > ? ORDER BY id LIMIT ?`);
  const byRoot = db.prepare(`SELECT ${COLUMNS} FROM streams WHERE root = ? ORDER BY id = root DESC, no`);
  const bumpRev = db.prepare("UPDATE streams SET rev = rev + 1 WHERE id = ? AND rev = ?");
  const update = db.prepare(
    "UPDATE streams SET floor_seq = ?, floor_hash = ?, state = ? WHERE id = ? AND (? <> 'purged' OR head_seq = ?)",
  );
  const dropEvents = db.prepare(
    "DELETE FROM events WHERE stream = (SELECT no FROM streams WHERE id = ?) AND seq BETWEEN ? AND ?",
  );
  const dropRows = db.prepare("DELETE FROM rows WHERE stream = ?");
  const dropSeals = db.prepare("DELETE FROM seals WHERE stream = ? AND seq BETWEEN ? AND ?");
  const dropRefs = db.prepare(
    "DELETE FROM blob_refs WHERE stream = ? AND seq BETWEEN ? AND ? RETURNING sha256",
  );
  const dropBlob = db.prepare(
    "DELETE FROM blobs WHERE sha256 = ? AND NOT EXISTS (SELECT 1 FROM blob_refs WHERE sha256 = ?)",
  );

  /** False when the family, or a stream to purge, is not as it was seen. */
  function drop({ root, rev, rows, drop: ranges }: Retention): boolean {
    if (bumpRev.run(root, rev).changes === 0) return false;
    for (const { id, floor_seq, floor_hash, state, head_seq } of rows) {
      if (update.run(floor_seq, floor_hash, state, id, state, head_seq).changes === 0) return false;
      if (state === "purged") dropRows.run(id);
    }
    positions.save();
    for (const { stream, from, to } of ranges) {
      dropEvents.run(stream, from, to);
      dropSeals.run(stream, from, to);
      for (const { sha256 } of dropRefs.all(stream, from, to) as { sha256: string }[])
        dropBlob.run(sha256, sha256);
    }
    return true;
  }

  return {
    async loadStreams(ids) {
      return ids.flatMap((id) => {
        const raw = one.get(id);
        return raw === undefined ? [] : [rowOf(raw, raised)];
      });
    },
    async listStreams(after, limit) {
      return page.all(after, limit).map((raw) => rowOf(raw, raised));
    },
    async family(root) {
      return byRoot.all(root).map((raw) => rowOf(raw, raised));
    },
    async retain(retention) {
      late.settle();
      const done = transaction(
        () => drop(retention),
        (ok) => ok,
      );
      // What is purged does not stay in the write-ahead log either.
      if (done && retention.drop.length > 0) db.exec("PRAGMA wal_checkpoint(TRUNCATE)");
      return done;
    },
  };
}
