import type { StreamId } from "@fairlead/contract";
import type { DatabaseSync, SQLInputValue } from "node:sqlite";
import type { KeyRef } from "../../ports/event-log.ts";
import type { Change, Committed, LogStore, StreamChange } from "../../ports/log-store.ts";
import type { Numbers } from "./numbers.ts";
import type { Positions } from "./positions.ts";
import type { Transaction } from "./transaction.ts";

/** Applies one change in one transaction, on this thread: durable when it returns. */
export function createAppend(
  db: DatabaseSync,
  transaction: Transaction,
  { numbers, positions }: { numbers: Numbers; positions: Positions },
): Pick<LogStore, "commit"> {
  const insertStream = db.prepare(
    `INSERT INTO streams (id, root, parent, rev, owner, kind, project, broadcast, created_by, created_at,
       base_seq, base_hash, floor_seq, floor_hash, head_seq, head_hash, epoch, state)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING`,
  );
  const moveHead = db.prepare(
    "UPDATE streams SET head_seq = ?, head_hash = ? WHERE no = ? AND head_seq = ? AND state = 'open'",
  );
  const moveHeadAtEpoch = db.prepare(
    "UPDATE streams SET head_seq = ?, head_hash = ? WHERE no = ? AND head_seq = ? AND epoch = ? AND state = 'open'",
  );
  const bumpRev = db.prepare("UPDATE streams SET rev = rev + 1 WHERE id = ? AND rev = ?");
  const insertEvent = db.prepare(
    "INSERT INTO events (pos, stream, seq, id, type, body, hash) VALUES (?, ?, ?, ?, ?, ?, ?)",
  );
  const insertKey = db.prepare(
    "INSERT INTO keys (key, stream, seq) VALUES (?, ?, ?) ON CONFLICT (key) DO NOTHING",
  );
  const selectKey = db.prepare("SELECT key, stream, seq FROM keys WHERE key = ?");
  const insertBlob = db.prepare(
    "INSERT INTO blobs (sha256, bytes) VALUES (?, ?) ON CONFLICT (sha256) DO NOTHING",
  );
  const insertBlobRef = db.prepare(
    "INSERT INTO blob_refs (sha256, stream, seq) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
  );
  const insertSeal = db.prepare("INSERT INTO seals (stream, seq, box) VALUES (?, ?, ?)");

  /** The stream's number, or undefined when it is not as expected. */
  function claimStream({ row, expect }: StreamChange): number | undefined {
    if (expect === "new") {
      const { changes, lastInsertRowid } = insertStream.run(...streamValues(row));
      return changes === 0 ? undefined : numbers.remember(row.id, lastInsertRowid as number);
    }
    const no = numbers.of(row.id);
    if (no === undefined) return undefined;
    const { head_seq, epoch } = expect;
    const moved =
      epoch === undefined
        ? moveHead.run(row.head_seq, row.head_hash, no, head_seq)
        : moveHeadAtEpoch.run(row.head_seq, row.head_hash, no, head_seq, epoch);
    return moved.changes === 0 ? undefined : no;
  }

  function write(change: Change): Committed {
    const stale: StreamId[] = [];
    const nos = change.streams.map((stream) => {
      const no = claimStream(stream);
      if (no === undefined) stale.push(stream.row.id);
      return no as number;
    });
    for (const { root, rev } of change.families) if (bumpRev.run(root, rev).changes === 0) stale.push(root);
    if (stale.length > 0) return { ok: false, why: "stale", streams: stale };
    const taken: KeyRef[] = [];
    for (const { key, stream, seq } of change.keys) {
      if (insertKey.run(key, stream, seq).changes === 0) taken.push(selectKey.get(key) as unknown as KeyRef);
    }
    if (taken.length > 0) return { ok: false, why: "taken", keys: taken };
    const last = positions.last();
    const given = change.events.map((event, i) => {
      const pos = last + 1 + i;
      insertEvent.run(
        pos,
        nos[event.stream] as number,
        event.seq,
        event.id,
        event.type,
        event.body,
        event.hash,
      );
      return pos;
    });
    for (const { sha256, bytes, stream, seq } of change.blobs) {
      insertBlob.run(sha256, bytes);
      insertBlobRef.run(sha256, stream, seq);
    }
    for (const { stream, seq, box } of change.seals) insertSeal.run(stream, seq, box);
    return { ok: true, positions: given };
  }

  return {
    async commit(change) {
      let done = false;
      try {
        const result = transaction(
          () => write(change),
          ({ ok }) => ok,
        );
        done = result.ok;
        if (result.ok) positions.given(result.positions.at(-1) ?? positions.last());
        return result;
      } finally {
        if (!done) numbers.forget();
      }
    },
  };
}

function streamValues(row: StreamChange["row"]): SQLInputValue[] {
  return [
    row.id,
    row.root,
    row.parent,
    row.rev,
    row.owner,
    row.kind,
    row.project,
    row.broadcast ? 1 : 0,
    row.created_by,
    row.created_at,
    row.base_seq,
    row.base_hash,
    row.floor_seq,
    row.floor_hash,
    row.head_seq,
    row.head_hash,
    row.epoch,
    row.state,
  ];
}
