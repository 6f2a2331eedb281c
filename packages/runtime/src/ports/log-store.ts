import type { StreamId } from "@fairlead/contract";
import type { KeyRef, StreamInfo } from "./event-log.ts";
import type { RowFilter, RowPage, RowQuery } from "./row-query.ts";

/** A stream as stored: what the log needs to extend its chain. */
export interface StreamRow extends StreamInfo {
  /** The first ancestor; a stream without parent is its own root. */
  readonly root: StreamId;
  /** On a root: counts forks, trims and purges in its family. 0 elsewhere. */
  readonly rev: number;
  /** Hash of the parent's event at `base_seq`; zeros for a stream of its own. */
  readonly base_hash: Buffer;
  /** Hash of the event at `floor_seq`. */
  readonly floor_hash: Buffer;
  readonly head_hash: Buffer;
  readonly epoch: number;
}

export interface EventRow {
  /** Index into `Change.streams`. */
  readonly stream: number;
  readonly seq: number;
  readonly id: string;
  readonly type: string;
  /** The envelope without stream and seq, as the exact JSON text that the hash covers. */
  readonly body: string;
  readonly hash: Buffer;
}

/** A projected row. `doc` is JSON. */
export interface ProjectedRow {
  readonly kind: string;
  readonly id: string;
  readonly stream: StreamId;
  readonly state: string;
  /** Sort key, newest first: milliseconds. */
  readonly at: number;
  readonly doc: string;
}

export interface StreamChange {
  /** The row as it will be after the commit. */
  readonly row: StreamRow;
  /** `new`: must not exist. Else head (and epoch, where guarded) must be as the planner saw them, and the state open. */
  readonly expect: "new" | { readonly head_seq: number; readonly epoch?: number };
}

/** One durable commit: applied whole or not at all. */
export interface Change {
  readonly streams: readonly StreamChange[];
  /** In order; each stream's seqs are contiguous from its expected head. */
  readonly events: readonly EventRow[];
  readonly keys: readonly KeyRef[];
  /** Empty where rows are made `later`. */
  readonly rows: readonly ProjectedRow[];
  readonly blobs: readonly {
    readonly sha256: string;
    readonly bytes: Uint8Array;
    readonly stream: StreamId;
    readonly seq: number;
  }[];
  readonly seals: readonly { readonly stream: StreamId; readonly seq: number; readonly box: Uint8Array }[];
  /** Families that get a new branch: the root's `rev` must still be this, and is incremented. */
  readonly families: readonly { readonly root: StreamId; readonly rev: number }[];
  /**
   * Only for a store that is `apart`: planned on a change that was still under way. Stale unless this event of that
   * change is there and the streams that exist have these hashes at their heads: another process may have brought one
   * to the same number.
   */
  readonly onto?: { readonly event: string; readonly heads: ReadonlyMap<StreamId, Buffer> };
}

export type Committed =
  | {
      readonly ok: true;
      /** Position of each event, in the order of `Change.events`. */ readonly positions: readonly number[];
    }
  /** Somebody else was there first: load these streams again and plan anew. */
  | { readonly ok: false; readonly why: "stale"; readonly streams: readonly StreamId[] }
  | { readonly ok: false; readonly why: "taken"; readonly keys: readonly KeyRef[] };

/** A trim or purge: new rows for some streams of one family, and what may go. */
export interface Retention {
  readonly root: StreamId;
  readonly rev: number;
  /** A purge holds only if the head is still this: what was appended since would not be dropped. */
  readonly rows: readonly Pick<StreamRow, "id" | "floor_seq" | "floor_hash" | "state" | "head_seq">[];
  /** Inclusive ranges. Blobs and seals of these events go too, unless still referenced; with a purge, the stream's rows. */
  readonly drop: readonly { readonly stream: StreamId; readonly from: number; readonly to: number }[];
}

/** One stretch of a history: the events of `stream` with `after` < seq ≤ `upTo`. */
export interface Segment {
  readonly stream: StreamId;
  readonly after: number;
  readonly upTo: number;
}

export interface StoredBody {
  readonly seq: number;
  readonly body: string;
}

export interface ScanOptions {
  /** Exclusive lower and inclusive upper bound of seq. */
  readonly after: number;
  readonly upTo: number;
  readonly descending: boolean;
  readonly limit: number;
  readonly types?: readonly string[] | undefined;
}

/** Rows that the log makes of events after these were committed, because nobody but the log reads them. */
export interface RowsLater {
  /** The position up to which rows were made of events. */
  upTo(): number;
  /** A row's document. */
  doc(kind: string, id: string): string | undefined;
  /**
   * Rows of the events up to this position. Whoever reads sees them at once. They are written together, without a flush of
   * their own: what is lost of them is made of the events again.
   */
  write(rows: readonly ProjectedRow[], upTo: number): void;
}

/** What a database must do for the log. Everything else (validation, redaction, chain, guards, groups) is above it. */
export interface LogStore {
  /** For messages: `sqlite (path)`, `postgres (host/db)`, `memory`. */
  readonly name: string;
  /** Commits in another process: it may be given the next change while the last is under way, and honours `onto`. */
  readonly apart: boolean;
  /** Nothing but the log it was opened for writes to it, so that what was committed is how it stands. */
  readonly alone: boolean;
  /** There where rows may follow their commit. */
  readonly later?: RowsLater;
  loadStreams(ids: readonly StreamId[]): Promise<readonly StreamRow[]>;
  loadKeys(keys: readonly string[]): Promise<readonly KeyRef[]>;
  loadRow(kind: string, id: string): Promise<string | undefined>;
  /** Durable when it resolves. Rejects with `store_unavailable` when the outcome cannot be known in time. */
  commit(change: Change): Promise<Committed>;
  scan(stream: StreamId, options: ScanOptions): Promise<readonly StoredBody[]>;
  /** All streams by position, each position once, never skipping one that commits later. */
  scanAll(
    after: number,
    limit: number,
  ): Promise<
    readonly {
      readonly pos: number;
      readonly stream: StreamId;
      readonly seq: number;
      readonly body: string;
    }[]
  >;
  /** The last position ever given, also when its event is gone. */
  lastPosition(): Promise<number>;
  /** Rows with their hashes, ascending, for verification and for anchors. */
  scanHashes(stream: StreamId, after: number, limit: number): Promise<readonly Omit<EventRow, "stream">[]>;
  findEvent(
    id: string,
  ): Promise<{ readonly stream: StreamId; readonly seq: number; readonly body: string } | undefined>;
  listStreams(after: StreamId | "", limit: number): Promise<readonly StreamRow[]>;
  /** All streams of a family, the root first. */
  family(root: StreamId): Promise<readonly StreamRow[]>;
  /** False when `rev`, or the head of a purged stream, has moved on: load the family again. */
  retain(retention: Retention): Promise<boolean>;
  rows(kind: string, query: RowQuery): Promise<RowPage<string>>;
  /** How many there are of what `rows` would list. */
  count(kind: string, filter: RowFilter): Promise<number>;
  /** Undefined when no event of these segments refers to it. */
  blob(sha256: string, segments: readonly Segment[]): Promise<Uint8Array | undefined>;
  sealed(stream: StreamId, seq: number): Promise<Uint8Array | undefined>;
  /** By the database's clock where there is one for all processes. Undefined: held by another. */
  acquireLease(stream: StreamId, holder: string, ttlMs: number): Promise<number | undefined>;
  renewLease(stream: StreamId, epoch: number, ttlMs: number): Promise<boolean>;
  releaseLease(stream: StreamId, epoch: number): Promise<void>;
  /** Until when each is held, by the same clock, in milliseconds: also what has run out, and not what was given back. */
  leases(streams: readonly StreamId[]): Promise<ReadonlyMap<StreamId, number>>;
  /** Calls back when other processes have committed: the streams touched, or null for "look at all". */
  watch(listener: (streams: readonly StreamId[] | null) => void): () => void;
  ping(): Promise<void>;
  close(): Promise<void>;
}
