import type { AnyEvent, StreamId } from "@fairlead/contract";
import type { StreamInfo } from "../ports/event-log.ts";
import type { RowsLater } from "../ports/log-store.ts";
import type { Projections } from "./projecting.ts";
import { type Projecting, type RowFold, createRowFold, docKey } from "./row-fold.ts";

/** Long enough that many commits change a row once, short enough that little is owed when a list is asked for. */
const CATCH_UP_MS = 50;
const MOST_OWED = 300;
const MOST_KEPT = 5_000;

/**
 * Rows of a store that only this log reads are made behind the commits, many at a time: a writer waits for its events
 * alone. Invariants:
 * 1. Whoever reads rows sees all that was answered.
 * 2. The store is told of a position only with the rows of all events up to it. What a process that died still owed is
 *    made of the events at the next start.
 */
export interface RowsBehind {
  /** The position up to which it was told. */
  upTo(): number;
  /** After a commit, in order of commits: events that may change rows, and its last position. Never throws. */
  owe(events: readonly Owed[], upTo: number): void;
  /** The row as of now; undefined where there is none. Nobody may change it. */
  doc(kind: string, id: string): unknown;
  /** Before rows are listed, or events go. */
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

export function createRowsBehind(store: RowsLater, projections: Projections): RowsBehind {
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
      for (const { projection, key } of projections.of(event)) {
        const id = docKey(projection.kind, key);
        const row = late.get(id) ?? { stream: stream.id, changes: [], fold: undefined };
        row.changes.push({ projection, key, event, stream });
        late.set(id, row);
      }
    }
    owed.length = 0;
  }

  function folded(row: Late): RowFold | undefined {
    // One by one: what cannot be folded stays, and whoever reads hears of it again.
    for (let change = row.changes[0]; change !== undefined; change = row.changes[0]) {
      row.fold ??= createRowFold(change, written(change.projection.kind, change.key));
      row.fold.take(change);
      row.changes.shift();
    }
    return row.fold;
  }

  function keep(key: string, stream: StreamId, doc: unknown): void {
    kept.delete(key);
    kept.set(key, { stream, doc });
    if (kept.size > MOST_KEPT) kept.delete(kept.keys().next().value as string);
  }

  function catchUp(): void {
    clearTimeout(timer);
    timer = undefined;
    sort();
    if (late.size === 0 && upTo === store.upTo()) return;
    const made = [...late].flatMap(([key, row]) => {
      const fold = folded(row);
      return fold === undefined ? [] : [{ key, stream: row.stream, doc: fold.doc(), rows: fold.rows() }];
    });
    store.write(
      made.flatMap(({ rows }) => rows),
      upTo,
    );
    for (const { key, stream, doc } of made) keep(key, stream, doc);
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
