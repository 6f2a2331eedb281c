import type { AnyEvent, ErrorCode, NewEvent, StreamId, Tier } from "@fairlead/contract";
import type { RowFilter, RowPage, RowQuery } from "./row-query.ts";

export type { RowPage, RowQuery, Scope } from "./row-query.ts";

/** Who a stream belongs to and who may see it. Fixed when the stream is made. */
export interface StreamSpec {
  /** System streams are left out of lists and refuse user commands. */
  readonly owner: "user" | "system";
  readonly kind: string;
  readonly project: string | null;
  /** Events of a broadcast stream reach every subscriber of the all-streams feed. */
  readonly broadcast: boolean;
  /** The actor that made it; an agent's token sees only its own. */
  readonly created_by: string | null;
}

export interface StreamInfo extends StreamSpec {
  readonly id: StreamId;
  readonly created_at: string;
  readonly parent: StreamId | null;
  /** Where the branch left its parent; 0 for a stream of its own. */
  readonly base_seq: number;
  /** Events up to here were trimmed and are no longer served. */
  readonly floor_seq: number;
  readonly head_seq: number;
  readonly state: "open" | "purged";
}

/** What must hold at the moment of the commit. Both may be given. */
export interface Guard {
  /** The stream's head is exactly this. */
  readonly expectedSeq?: number;
  /** The writer still holds the lease of this epoch. */
  readonly epoch?: number;
}

/** Where a branch begins: its seq and chain go on from this event of the parent. */
export interface Fork {
  readonly parent: StreamId;
  readonly seq: number;
}

export interface StreamWrite {
  readonly stream: StreamId;
  readonly events: readonly NewEvent[];
  readonly guard?: Guard;
  /** Makes the stream; refused with `stream_exists` if it is there. */
  readonly create?: StreamSpec & { readonly fork?: Fork };
}

/** Written whole in one durable commit, or not at all. */
export interface Append {
  readonly writes: readonly StreamWrite[];
  /**
   * Names that can be claimed once, ever: an idempotency key, an alias, "this question is decided".
   * A claim that was taken refuses the append with `key_taken` and says by which event.
   */
  readonly keys?: readonly string[];
}

/** The event that claimed a key: the first of the append that carried it. */
export interface KeyRef {
  readonly key: string;
  readonly stream: StreamId;
  readonly seq: number;
}

export interface Refusal {
  readonly code: ErrorCode;
  readonly message: string;
  readonly details?: Readonly<Record<string, unknown>>;
}

export type Appended =
  | { readonly ok: true; readonly events: readonly AnyEvent[] }
  | { readonly ok: false; readonly refusal: Refusal };

export interface ReadOptions {
  /** Events with a greater seq, oldest first (the default, from 0). */
  readonly after?: number;
  /** Events with a smaller seq, newest first. */
  readonly before?: number;
  readonly limit?: number;
  readonly types?: readonly string[];
  /** `default` leaves out what only the debug tier shows; `debug`, like none, shows everything. */
  readonly tier?: Tier;
  /** `full` also reads what a branch inherits from its parents. */
  readonly history?: "own" | "full";
}

export interface Page {
  /** In reading order. A reader behind a trim gets a `runtime.log.gap` first. */
  readonly events: readonly AnyEvent[];
  /** Pass as `after` (or `before`) to go on; null when the end was reached. */
  readonly next: number | null;
  readonly head_seq: number;
}

export interface Positioned {
  /** Place in the order of commits over all streams. Opaque: it has gaps and means nothing elsewhere. */
  readonly pos: number;
  readonly event: AnyEvent;
}

export interface SubscribeOptions {
  readonly after?: number;
  readonly history?: "own" | "full";
  readonly signal?: AbortSignal;
}

export interface Lease {
  readonly stream: StreamId;
  readonly holder: string;
  /** Grows with each new holder; appends guarded by an older one are refused. */
  readonly epoch: number;
}

export interface Broken {
  readonly stream: StreamId;
  readonly seq: number;
  readonly id: string | null;
  readonly reason: string;
}

/**
 * The one durable log. Invariants, each upheld by every store:
 * 1. An append is acknowledged only when it is durable, and is seen by readers only then.
 * 2. `seq` has no gap and no duplicate within a stream; event ids are unique.
 * 3. A refused append changes nothing and does not fail its neighbours.
 * 4. Each event's hash covers its bytes and the hash before it.
 * 5. Projected rows change in the same commit as the events they are folded from.
 */
export interface EventLog {
  /** Other processes may write to it too. */
  readonly shared: boolean;
  /** Resolves when durable, or with why it was refused. Rejects only when the store is lost. */
  append(append: Append): Promise<Appended>;
  /** Throws `session_not_found` or `session_purged`. */
  read(stream: StreamId, options?: ReadOptions): Promise<Page>;
  /** All streams in commit order. A page may be shorter than the limit before the end. */
  readAll(options?: {
    after?: number;
    limit?: number;
  }): Promise<{ events: readonly Positioned[]; next: number }>;
  /** The last position ever given, also when its event was trimmed: the end of `readAll`. */
  lastPosition(): Promise<number>;
  /** Replay, then live, in batches, without gap or duplicate. Ends when the signal aborts or the log closes. */
  subscribe(stream: StreamId, options?: SubscribeOptions): AsyncIterable<readonly AnyEvent[]>;
  subscribeAll(options?: {
    readonly after?: number;
    readonly signal?: AbortSignal;
  }): AsyncIterable<readonly Positioned[]>;
  stream(id: StreamId): Promise<StreamInfo | undefined>;
  findEvent(id: string): Promise<AnyEvent | undefined>;
  findKey(key: string): Promise<KeyRef | undefined>;
  row<T>(kind: string, id: string): Promise<T | undefined>;
  rows<T>(kind: string, query?: RowQuery): Promise<RowPage<T>>;
  count(kind: string, filter?: RowFilter): Promise<number>;
  /** Drops events up to and including `upTo` that no branch needs, and leaves an anchor. */
  trim(stream: StreamId, upTo: number): Promise<StreamInfo>;
  /** Drops the stream's rows and all its events that no branch needs, and leaves a tombstone. */
  purge(stream: StreamId): Promise<StreamInfo>;
  /** Undefined when another holder's lease has not run out. */
  acquireLease(stream: StreamId, holder: string, ttlMs: number): Promise<Lease | undefined>;
  /** False when the lease was lost. */
  renewLease(lease: Lease, ttlMs: number): Promise<boolean>;
  releaseLease(lease: Lease): Promise<void>;
  /** Until when each is held, in milliseconds: also what has run out, and not what was given back or nobody held. */
  leases(streams: readonly StreamId[]): Promise<ReadonlyMap<StreamId, number>>;
  /** What an event of this stream, or of its inherited history, refers to. */
  blob(stream: StreamId, sha256: string): Promise<Uint8Array | undefined>;
  /** The data before redaction, where the writer asked to keep it; undefined when nothing was redacted. */
  unseal(stream: StreamId, seq: number): Promise<unknown>;
  /** Checks the hash chain; yields what is broken, the first fault of each stream only. */
  verify(
    stream?: StreamId,
    progress?: (checked: number) => void,
  ): Promise<{ streams: number; events: number; broken: Broken[] }>;
  /** Is the store reachable and writable? Rejects with `store_unavailable` when not. */
  ping(): Promise<void>;
  /** Waits for appends under way, then releases the store. */
  close(): Promise<void>;
}
