import type { DatabaseSync } from "node:sqlite";
import type { ProjectedRow } from "../../ports/log-store.ts";
import { PART_BYTES, fitsRecord, fromParts, toParts } from "./late-parts.ts";
import type { Transaction } from "./transaction.ts";

/** Room for some hundred commits; past that, or with a record of more than a few pages, rows are written at once. */
const SLOTS = 128;
const MOST_PARTS = 8;
/** Long enough that many turns change their rows once, short enough that little is owed when a list is asked for. */
const SETTLE_AFTER_MS = 200;
const TRY_AGAIN_MS = 1_000;

/**
 * Rows have an index for every order in which they are listed, so to write one changes some ten pages, all of which a
 * commit would have to flush. Instead a commit puts its rows down as one record, and they are written later, many commits
 * at a time and without a flush of their own. Invariants:
 * 1. What a commit says of rows is durable with it: in `rows`, or in a record that `settled` has not passed.
 * 2. Whoever reads rows sees all that was committed.
 */
export interface LateRows {
  /** Within the transaction of a commit. */
  put(rows: readonly ProjectedRow[]): void;
  /** That transaction was committed, or taken back. */
  ended(committed: boolean): void;
  /** The row's document, if it is late. */
  doc(kind: string, id: string): string | undefined;
  /** Brings `rows` up to date: before they are listed. Cheap when they are. */
  settle(): void;
  /** Overwrites what records still say of rows that are gone. Within a transaction, after `settle`. */
  clear(): void;
  /** Leaves `rows` up to date for whoever looks at the file, if that can be; else the next to open it does that. */
  stop(): void;
}

/** `unflushed`: the records that a row stands in for are durable already (invariant 1). */
export function createLateRows(db: DatabaseSync, unflushed: Transaction): LateRows {
  const upsert = db.prepare(
    `INSERT INTO rows (kind, id, stream, state, at, doc) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT (kind, id) DO UPDATE SET state = excluded.state, at = excluded.at, doc = excluded.doc`,
  );
  const insertPart = db.prepare("INSERT INTO late_rows (slot, part) VALUES (?, ?)");
  const replacePart = db.prepare("UPDATE late_rows SET part = ? WHERE slot = ?");
  const clearParts = db.prepare("UPDATE late_rows SET part = zeroblob(?)");
  const saveSettled = db.prepare("UPDATE positions SET settled = ?");

  const late = new Map<string, ProjectedRow>();
  let next = 0;
  let no = Number(db.prepare("SELECT settled FROM positions").get()?.["settled"]);
  let timer: NodeJS.Timeout | undefined;
  /** What the transaction under way has put, and where that leaves us once it is committed. */
  let putting: { rows: readonly ProjectedRow[]; no: number; next: number; settled: boolean } | undefined;

  function write(rows: Iterable<ProjectedRow>): void {
    for (const row of rows) upsert.run(row.kind, row.id, row.stream, row.state, row.at, row.doc);
  }

  function settle(): void {
    if (late.size === 0) return;
    unflushed(() => {
      write(late.values());
      saveSettled.run(no);
    });
    forget();
  }

  function forget(): void {
    late.clear();
    next = 0;
    clearTimeout(timer);
    timer = undefined;
  }

  function settleLater(afterMs: number): void {
    timer ??= setTimeout(() => {
      timer = undefined;
      try {
        settle();
      } catch {
        // Nothing is lost by it (invariant 1). Whoever reads rows meets the same fault, and hears of it.
        settleLater(TRY_AGAIN_MS);
      }
    }, afterMs).unref();
  }

  function savePart(slot: number, part: Buffer): void {
    if (replacePart.run(part, slot).changes === 0) insertPart.run(slot, part);
  }

  const parts = db.prepare("SELECT part FROM late_rows").all() as unknown as { part: Uint8Array }[];
  for (const record of fromParts(
    parts.map(({ part }) => part),
    no,
  )) {
    for (const row of record.rows) late.set(keyOf(row), row);
    no = record.no;
  }
  settle();

  return {
    put(rows) {
      if (rows.length === 0) return;
      const record = toParts({ no: no + 1, rows });
      const settled = record.length > MOST_PARTS || next + record.length > SLOTS || !rows.every(fitsRecord);
      if (settled) {
        write(late.values());
        write(rows);
        saveSettled.run(no);
      } else record.forEach((part, i) => savePart(next + i, part));
      putting = { rows, no: no + 1, next: next + record.length, settled };
    },
    ended(committed) {
      if (committed && putting !== undefined) {
        if (putting.settled) forget();
        else {
          for (const row of putting.rows) late.set(keyOf(row), row);
          ({ no, next } = putting);
          settleLater(SETTLE_AFTER_MS);
        }
      }
      putting = undefined;
    },
    doc: (kind, id) => late.get(`${kind}:${id}`)?.doc,
    settle,
    clear: () => void clearParts.run(PART_BYTES),
    stop() {
      clearTimeout(timer);
      try {
        settle();
      } catch {
        // Nothing is lost by it (invariant 1).
      }
    },
  };
}

function keyOf({ kind, id }: ProjectedRow): string {
  return `${kind}:${id}`;
}
