import type { DatabaseSync } from "node:sqlite";
import type { ProjectedRow } from "../../ports/log-store.ts";
import { PART_BYTES, fitsRecord, fromParts, numberOf, toParts } from "./late-parts.ts";
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
  /** Brings `rows` up to date. Cheap when they are. */
  settle(): void;
  /** Reads `rows` as of now, also where they cannot be written: a full disk can still be read. */
  read<T>(work: () => T): T;
  /** Overwrites what records still say of rows that are gone. Within a transaction, after `settle`. */
  clear(): void;
  /** Leaves `rows` up to date for whoever looks at the file, if that can be; else the next to open it does that. */
  stop(): void;
}

/** `unflushed`: the records that a row stands in for are durable already (invariant 1). */
export function createLateRows(db: DatabaseSync, transaction: Transaction, unflushed: Transaction): LateRows {
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
      settleIfPossible();
    }, afterMs).unref();
  }

  /** Nothing is lost where it is not (invariant 1). Whoever commits meets the same fault, and hears of it. */
  function settleIfPossible(): void {
    try {
      settle();
    } catch {
      settleLater(TRY_AGAIN_MS);
    }
  }

  function savePart(slot: number, part: Buffer): void {
    if (replacePart.run(part, slot).changes === 0) insertPart.run(slot, part);
  }

  const found = db.prepare("SELECT part FROM late_rows").all() as unknown as { part: Uint8Array }[];
  const settled = no;
  const owed = found.map(({ part }) => part).filter((part) => numberOf(part) > settled);
  for (const record of fromParts(owed)) {
    for (const row of record.rows) late.set(keyOf(row), row);
    no = record.no;
  }
  // They lie in the first slots, without a gap, and stay there until they are settled.
  next = owed.length;
  settleIfPossible();

  return {
    put(rows) {
      if (rows.length === 0) return;
      const record = isSmall(rows) ? toParts({ no: no + 1, rows }) : [];
      const settled = record.length === 0 || record.length > MOST_PARTS || next + record.length > SLOTS;
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
    read(work) {
      try {
        settle();
      } catch {
        // A transaction that is taken back is written in memory alone.
        return transaction(
          () => {
            write(late.values());
            return work();
          },
          () => false,
        );
      }
      return work();
    },
    clear: () => void clearParts.run(PART_BYTES),
    stop() {
      settleIfPossible();
      clearTimeout(timer);
    },
  };
}

/** Whether it is worth to make a record of them: large groups of appends have many, and are written at once. */
function isSmall(rows: readonly ProjectedRow[]): boolean {
  let characters = 0;
  for (const row of rows) {
    characters += row.doc.length;
    if (characters > MOST_PARTS * PART_BYTES || !fitsRecord(row)) return false;
  }
  return true;
}

function keyOf({ kind, id }: ProjectedRow): string {
  return `${kind}:${id}`;
}
