import type { AnyEvent, StreamId } from "@fairlead/contract";
import type { StreamInfo } from "../ports/event-log.ts";
import type { ProjectedRow, RowsLater } from "../ports/log-store.ts";
import type { Projected, Projections } from "./projecting.ts";
import { type Projecting, type RowFold, createRowFold, docKey } from "./row-fold.ts";

/** Long enough that many commits change a row once, short enough that little is owed when a list is asked for. */
const CATCH_UP_MS = 50;
const MOST_OWED = 300;
const MOST_KEPT = 5_000;
/** Of a longer one, to read it again costs little beside all else. */
const LONGEST_KEPT = 8 * 1024;

/**
 * Rows of a store that only this log reads are made behind the commits, many at a time: a writer waits for its events
 * alone. Invariants:
 * 1. Whoever reads rows sees all that was answered.
 * 2. The store is told of a position only with the rows of all events up to it. What a process that died still owed is
 *    made of the events at the next start.
 * 3. An event that a projection cannot fold leaves its row as it was, and is reported: it is in the log for good, and all
 *    other rows would wait for it, also after a restart.
 */
export interface RowsBehind {
  /** The position up to which it was told. */
  upTo(): number;
  /** After a commit, in order of commits: events that may change rows, and its last position. Never throws. */
  owe(events: readonly Owed[], upTo: number): void;
  /** The row as of now; undefined where there is none. Nobody may change it. */
  doc(kind: string, id: string): unknown;
  /** Before rows are listed, or events go. Throws where the store cannot be read. */
  catchUp(): void;
  /** The stream's rows are gone. */
  forget(stream: StreamId): void;
  stop(): void;
}

export interface Owed {
  readonly event: AnyEvent;
  readonly stream: StreamInfo;
}

interface Late {
  readonly stream: StreamId;
  readonly changes: Projecting[];
  fold: RowFold | undefined;
}

interface Kept {
  readonly stream: StreamId;
  readonly doc: unknown;
}

interface Made extends Kept {
  readonly key: string;
  readonly rows: readonly ProjectedRow[];
}

/** `report` is told which event could not be folded, and why. Must not throw. */
export function createRowsBehind(
  store: RowsLater,
  projections: Projections,
  report: (error: unknown) => void,
): RowsBehind {
  /** In order; nobody has looked yet at which rows they change. */
  const owed: Owed[] = [];
  const late = new Map<string, Late>();
  /** Rows as they are written, to save reading them again. */
  const kept = new Map<string, Kept>();
  let upTo = store.upTo();
  let timer: NodeJS.Timeout | undefined;

  function written(kind: string, id: string): unknown {
    const known = kept.get(docKey(kind, id));
    if (known !== undefined) return known.doc;
    const text = store.doc(kind, id);
    return text === undefined ? undefined : (JSON.parse(text) as unknown);
  }

  function sort(): void {
    for (const { event, stream } of owed) {
      for (const { projection, key } of changedBy(event)) {
        const id = docKey(projection.kind, key);
        const row = late.get(id) ?? { stream: stream.id, changes: [], fold: undefined };
        row.changes.push({ projection, key, event, stream });
        late.set(id, row);
      }
    }
    owed.length = 0;
  }

  function changedBy(event: AnyEvent): Projected {
    try {
      return projections.of(event);
    } catch (cause) {
      report(cannotFold(event, "any row", cause));
      return [];
    }
  }

  function folded(row: Late): RowFold | undefined {
    for (const change of row.changes) {
      // Not within: what cannot be read now is there later.
      row.fold ??= createRowFold(change, written(change.projection.kind, change.key));
      try {
        row.fold.take(change);
      } catch (cause) {
        report(cannotFold(change.event, `the row ${change.projection.kind} ${change.key}`, cause));
      }
    }
    row.changes.length = 0;
    return row.fold;
  }

  function made(key: string, row: Late): readonly Made[] {
    const fold = folded(row);
    try {
      const doc = fold?.doc();
      if (fold === undefined || doc === undefined) return [];
      return [{ key, stream: row.stream, doc, rows: fold.rows() }];
    } catch (cause) {
      report(new Error(`The row ${key} cannot be written, and stays as it was.`, { cause }));
      return [];
    }
  }

  function keep({ key, stream, doc, rows }: Made): void {
    kept.delete(key);
    if ((rows[0]?.doc.length ?? 0) > LONGEST_KEPT) return;
    kept.set(key, { stream, doc });
    if (kept.size > MOST_KEPT) kept.delete(kept.keys().next().value as string);
  }

  function catchUp(): void {
    clearTimeout(timer);
    timer = undefined;
    sort();
    if (late.size === 0 && upTo === store.upTo()) return;
    const all = [...late].flatMap(([key, row]) => made(key, row));
    store.write(
      all.flatMap(({ rows }) => rows),
      upTo,
    );
    for (const one of all) keep(one);
    late.clear();
  }

  /** Who commits is not to blame. */
  function catchUpIfPossible(): void {
    try {
      catchUp();
    } catch {
      later();
    }
  }

  function later(): void {
    timer ??= setTimeout(catchUpIfPossible, CATCH_UP_MS).unref();
  }

  return {
    upTo: () => upTo,
    owe(events, position) {
      for (const event of events) owed.push(event);
      upTo = position;
      if (owed.length >= MOST_OWED) catchUpIfPossible();
      else if (owed.length > 0) later();
    },
    doc(kind, id) {
      sort();
      const row = late.get(docKey(kind, id));
      return row === undefined ? written(kind, id) : folded(row)?.doc();
    },
    catchUp,
    forget(stream) {
      for (const [key, one] of kept) if (one.stream === stream) kept.delete(key);
    },
    stop() {
      catchUpIfPossible();
      clearTimeout(timer);
    },
  };
}

function cannotFold({ type, seq, stream }: AnyEvent, into: string, cause: unknown): Error {
  return new Error(`${type}, event ${seq} of ${stream}, cannot be folded into ${into}.`, { cause });
}
