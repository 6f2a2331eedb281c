import type { Owner } from "./define.ts";
import type { EventId, StreamId } from "./ids.ts";
import type { EventData, EventType } from "./events.ts";

/** A payload part too large for the log: kept by content, fetched by `sha256`. */
export interface BlobRef {
  readonly sha256: string;
  readonly bytes: number;
}

/** An event as the log keeps and serves it. */
export interface StoredEvent<T extends EventType = EventType> {
  readonly id: EventId;
  /** Gap-free within the stream, from 1; a branch goes on from its fork. */
  readonly seq: number;
  readonly stream: StreamId;
  /** When it was appended, by the writer's clock. Order comes from `seq`, never from this. */
  readonly at: string;
  readonly type: T;
  readonly v: number;
  readonly turn_id: string | null;
  readonly agent_id: string | null;
  /** The id of the event, or the key of the command, that led to this one. */
  readonly cause: string | null;
  readonly owner: Owner;
  readonly data: EventData<T>;
  /** Parts of `data` shortened to a preview, by JSON Pointer; the whole is in the blob store. */
  readonly blobs?: Readonly<Record<string, BlobRef>>;
}

/** A stored event of a type this program does not know (a newer writer's): carried and shown raw. */
export type RawEvent = Omit<StoredEvent, "type" | "data"> & {
  readonly type: string;
  readonly data: unknown;
};
export type AnyEvent = StoredEvent | RawEvent;

/** What a writer hands to the log. The log adds id, seq, stream, time, version and owner. */
export type NewEvent<T extends EventType = EventType> = {
  [K in T]: {
    readonly type: K;
    readonly data: EventData<K>;
    readonly id?: EventId;
    readonly turn_id?: string | null;
    readonly agent_id?: string | null;
    readonly cause?: string | null;
    /** Keep the data as it was before redaction, encrypted, because execution needs it again. */
    readonly seal?: boolean;
  };
}[T];
