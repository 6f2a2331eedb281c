import type { AnyEvent, StreamId } from "@fairlead/contract";
import type { Append, KeyRef, Refusal, StreamSpec, StreamWrite } from "../ports/event-log.ts";
import type { Change, EventRow, StreamChange, StreamRow } from "../ports/log-store.ts";
import { NO_HASH, chainHash } from "./chain.ts";
import type { Prepared } from "./prepare.ts";
import { type Projecting, type RowFold, createRowFold, docKey } from "./row-fold.ts";

/** An append that waits for its commit: checked already, in the order of its writes. */
export interface Pending {
  readonly append: Append;
  readonly prepared: readonly (readonly Prepared[])[];
}

/** Where a new branch begins, as loaded; or why it cannot. */
export type Origin = Pick<
  StreamRow,
  "root" | "parent" | "base_seq" | "base_hash" | "floor_seq" | "floor_hash"
> & {
  readonly family_rev: number;
};

/** All that a plan depends on. Anything missing here does not exist. */
export interface Known {
  readonly streams: ReadonlyMap<StreamId, StreamRow>;
  readonly taken: ReadonlyMap<string, KeyRef>;
  readonly origins: ReadonlyMap<StreamWrite, Origin | Refusal>;
  /** Projected rows by `kind:id`, decoded. Undefined where rows are made later. */
  readonly docs: ReadonlyMap<string, unknown> | undefined;
  readonly now: string;
}

export interface Accepted<P> {
  readonly pending: P;
  /** Indexes into `change.events`, in the order of the append. */
  readonly first: number;
  readonly count: number;
}

export interface Plan<P> {
  readonly change: Change;
  readonly accepted: readonly Accepted<P>[];
  readonly refused: readonly {
    readonly pending: P;
    readonly refusal: Refusal;
    /** Streams whose state led to it. */ readonly because: readonly StreamId[];
  }[];
  /** The rows that it changes, as they will be. */
  readonly docs: ReadonlyMap<string, unknown>;
  /** Those of `change.events` that may change rows, at their index. */
  readonly decoded: readonly (AnyEvent | undefined)[];
}

interface Staged {
  readonly row: StreamRow;
  head_seq: number;
  head_hash: Buffer;
  /** The same, for the next event. */
  head_hex: string;
  readonly index: number;
  readonly expect: "new" | { readonly head_seq: number; epoch?: number };
}

/**
 * Decides a group of appends against what is known and lays out one commit. Pure. Each append is
 * taken whole or refused whole; a refused one leaves no trace in the change (invariant 3).
 */
export function plan<P extends Pending>(group: readonly P[], known: Known): Plan<P> {
  const staged = new Map<StreamId, Staged>();
  const claimed = new Map<string, KeyRef>();
  const projecting: Projecting[] = [];
  const families = new Map<StreamId, number>();
  const streams: Staged[] = [];
  const events: EventRow[] = [];
  const decoded: (AnyEvent | undefined)[] = [];
  const blobs: Change["blobs"][number][] = [];
  const seals: Change["seals"][number][] = [];
  const accepted: Accepted<P>[] = [];
  const refused: Plan<P>["refused"][number][] = [];

  const rowOf = (id: StreamId) => {
    const entry = staged.get(id);
    return entry === undefined ? known.streams.get(id) : withHead(entry);
  };

  function refusalOf(pending: P): Refusal | undefined {
    for (const key of pending.append.keys ?? []) {
      const holder = known.taken.get(key) ?? claimed.get(key);
      if (holder !== undefined) return keyTaken(holder);
    }
    for (const write of pending.append.writes) {
      const refusal = writeRefusal(write, rowOf(write.stream), known.origins.get(write));
      if (refusal !== undefined) return refusal;
    }
    return undefined;
  }

  function stage(write: StreamWrite): Staged {
    const there = staged.get(write.stream);
    if (there !== undefined) {
      if (write.guard?.epoch !== undefined && there.expect !== "new") there.expect.epoch = write.guard.epoch;
      return there;
    }
    const row =
      write.create === undefined
        ? known.streams.get(write.stream)
        : newRow(write.stream, write.create, known.origins.get(write) as Origin | undefined, known.now);
    if (row === undefined) throw new Error(`planned a write to an unknown stream ${write.stream}`);
    const expect =
      write.create === undefined
        ? {
            head_seq: row.head_seq,
            ...(write.guard?.epoch === undefined ? {} : { epoch: write.guard.epoch }),
          }
        : "new";
    const { head_seq, head_hash } = row;
    const head_hex = head_hash.toString("hex");
    const entry: Staged = { row, head_seq, head_hash, head_hex, index: streams.length, expect };
    streams.push(entry);
    staged.set(write.stream, entry);
    if (write.create?.fork !== undefined) {
      const origin = known.origins.get(write) as Origin;
      families.set(origin.root, origin.family_rev);
    }
    return entry;
  }

  function apply(pending: P): void {
    const first = events.length;
    for (const [w, write] of pending.append.writes.entries()) {
      const entry = stage(write);
      for (const prepared of pending.prepared[w] ?? []) {
        const seq = (entry.head_seq += 1);
        entry.head_hex = chainHash(entry.head_hex, seq, prepared.body);
        const hash = (entry.head_hash = Buffer.from(entry.head_hex, "hex"));
        events.push({
          stream: entry.index,
          seq,
          id: prepared.id,
          type: prepared.type,
          body: prepared.body,
          hash,
        });
        for (const blob of prepared.blobs) blobs.push({ ...blob, stream: write.stream, seq });
        if (prepared.box !== undefined) seals.push({ stream: write.stream, seq, box: prepared.box });
        const event = prepared.event === undefined ? undefined : { ...prepared.event, seq };
        decoded.push(event);
        if (event !== undefined)
          for (const { projection, key } of prepared.projected)
            projecting.push({ projection, key, event, stream: entry.row });
      }
    }
    const place = events[first];
    for (const key of pending.append.keys ?? []) {
      const stream = pending.append.writes[0]?.stream;
      if (place !== undefined && stream !== undefined) claimed.set(key, { key, stream, seq: place.seq });
    }
    accepted.push({ pending, first, count: events.length - first });
  }

  for (const pending of group) {
    const refusal = refusalOf(pending);
    if (refusal === undefined) apply(pending);
    else refused.push({ pending, refusal, because: pending.append.writes.map((write) => write.stream) });
  }
  const folds = known.docs === undefined ? NO_FOLDS : foldAll(projecting, known.docs);
  return {
    change: {
      streams: streams.map((entry): StreamChange => ({ row: withHead(entry), expect: entry.expect })),
      events,
      keys: [...claimed.values()],
      rows: [...folds.values()].flatMap((fold) => fold.rows()),
      blobs,
      seals,
      families: [...families].map(([root, rev]) => ({ root, rev })),
    },
    accepted,
    refused,
    docs: new Map([...folds].map(([id, fold]) => [id, fold.doc()])),
    decoded,
  };
}

const NO_FOLDS: ReadonlyMap<string, RowFold> = new Map();

function foldAll(
  projecting: readonly Projecting[],
  docs: ReadonlyMap<string, unknown>,
): ReadonlyMap<string, RowFold> {
  const folds = new Map<string, RowFold>();
  for (const change of projecting) {
    const id = docKey(change.projection.kind, change.key);
    const fold = folds.get(id) ?? createRowFold(change, docs.get(id));
    fold.take(change);
    folds.set(id, fold);
  }
  return folds;
}

function withHead({ row, head_seq, head_hash }: Staged): StreamRow {
  return { ...row, head_seq, head_hash };
}

function keyTaken(holder: KeyRef): Refusal {
  return { code: "key_taken", message: `The key ${holder.key} was claimed before.`, details: { ...holder } };
}

function writeRefusal(
  write: StreamWrite,
  row: StreamRow | undefined,
  origin: Origin | Refusal | undefined,
): Refusal | undefined {
  const { stream, guard } = write;
  if (write.create !== undefined) {
    if (row !== undefined)
      return { code: "stream_exists", message: `The stream ${stream} exists already.`, details: { stream } };
    if (origin !== undefined && "code" in origin) return origin;
    return guard?.expectedSeq !== undefined && guard.expectedSeq !== (origin?.base_seq ?? 0)
      ? conflict(stream, guard.expectedSeq, origin?.base_seq ?? 0)
      : undefined;
  }
  if (row === undefined)
    return { code: "session_not_found", message: `There is no stream ${stream}.`, details: { stream } };
  if (row.state === "purged")
    return { code: "session_purged", message: `The stream ${stream} was purged.`, details: { stream } };
  if (guard?.epoch !== undefined && guard.epoch !== row.epoch) {
    return {
      code: "lease_lost",
      message: `The lease of ${stream} has passed to another holder.`,
      details: { stream, epoch: guard.epoch, current: row.epoch },
    };
  }
  if (guard?.expectedSeq !== undefined && guard.expectedSeq !== row.head_seq)
    return conflict(stream, guard.expectedSeq, row.head_seq);
  return undefined;
}

function conflict(stream: StreamId, expected: number, head: number): Refusal {
  return {
    code: "seq_conflict",
    message: `The stream ${stream} is at ${head}, not at ${expected}.`,
    details: { stream, expected_seq: expected, head_seq: head },
  };
}

function newRow(id: StreamId, spec: StreamSpec, origin: Origin | undefined, now: string): StreamRow {
  const { owner, kind, project, broadcast, created_by } = spec;
  const start = origin ?? {
    root: id,
    parent: null,
    base_seq: 0,
    base_hash: NO_HASH,
    floor_seq: 0,
    floor_hash: NO_HASH,
  };
  return {
    id,
    owner,
    kind,
    project,
    broadcast,
    created_by,
    created_at: now,
    root: start.root,
    parent: start.parent,
    rev: 0,
    base_seq: start.base_seq,
    base_hash: start.base_hash,
    floor_seq: start.floor_seq,
    floor_hash: start.floor_hash,
    head_seq: start.base_seq,
    head_hash: start.base_hash,
    epoch: 0,
    state: "open",
  };
}
