import type { DatabaseSync } from "node:sqlite";
import type { ProjectedRow, RowsLater } from "../../ports/log-store.ts";
import type { Transaction } from "./transaction.ts";

const TRY_AGAIN_MS = 1_000;

/** Rows that were made and could not be written yet, because the disk is full or a foreign writer is at the file. */
export interface LateRows extends RowsLater {
  /** Writes what could not be. */
  settle(): void;
  /** Reads `rows` as of now, also where they cannot be written: a full disk can still be read. */
  read<T>(work: () => T): T;
  stop(): void;
}

/** `unflushed`: what is lost of rows is made of events again, which are durable. */
export function createLateRows(db: DatabaseSync, transaction: Transaction, unflushed: Transaction): LateRows {
  const one = db.prepare("SELECT doc FROM rows WHERE kind = ? AND id = ?");
  const upsert = db.prepare(
    // What was purged while its rows were made has none.
    `INSERT INTO rows (kind, id, stream, state, at, doc)
     SELECT ?, ?, id, ?, ?, ? FROM streams WHERE id = ? AND state <> 'purged'
     ON CONFLICT (kind, id) DO UPDATE SET state = excluded.state, at = excluded.at, doc = excluded.doc`,
  );
  const saveUpTo = db.prepare("UPDATE positions SET rows_up_to = ?");

  const late = new Map<string, ProjectedRow>();
  let upTo = Number(db.prepare("SELECT rows_up_to FROM positions").get()?.["rows_up_to"]);
  let saved = upTo;
  let timer: NodeJS.Timeout | undefined;

  function writeLate(): void {
    for (const row of late.values()) upsert.run(row.kind, row.id, row.state, row.at, row.doc, row.stream);
    saveUpTo.run(upTo);
  }

  function settle(): void {
    if (late.size === 0 && upTo === saved) return;
    unflushed(writeLate);
    late.clear();
    saved = upTo;
    clearTimeout(timer);
    timer = undefined;
  }

  function settleIfPossible(): void {
    try {
      settle();
    } catch {
      timer ??= setTimeout(() => {
        timer = undefined;
        settleIfPossible();
      }, TRY_AGAIN_MS).unref();
    }
  }

  return {
    upTo: () => upTo,
    doc: (kind, id) => late.get(`${kind}:${id}`)?.doc ?? (one.get(kind, id)?.["doc"] as string | undefined),
    write(rows, to) {
      for (const row of rows) late.set(`${row.kind}:${row.id}`, row);
      upTo = to;
      settleIfPossible();
    },
    settle,
    read(work) {
      try {
        settle();
      } catch {
        // A transaction that is taken back is written in memory alone.
        return transaction(
          () => {
            writeLate();
            return work();
          },
          () => false,
        );
      }
      return work();
    },
    stop() {
      settleIfPossible();
      clearTimeout(timer);
    },
  };
}
