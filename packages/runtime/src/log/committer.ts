import { FairleadError, type StreamId } from "@fairlead/contract";
import type { Clock } from "../ports/clock.ts";
import type { Append, KeyRef, Refusal, StreamWrite } from "../ports/event-log.ts";
import type { LogStore, StreamRow } from "../ports/log-store.ts";
import { loadOrigin } from "./origin.ts";
import { type Origin, type Pending, type Plan, docKey, plan } from "./plan.ts";
import type { Prepared } from "./prepare.ts";

/** Bounds of one commit, so that other work gets its turn between two. */
const GROUP_EVENTS = 512;
const GROUP_BYTES = 1024 * 1024;
const CACHED_STREAMS = 5_000;
const CACHED_DOCS = 200;
const MAX_REPLANS = 100;

/** An event with its place, as it was committed. */
export interface Placed {
  readonly stream: StreamId;
  readonly seq: number;
  readonly pos: number;
  readonly body: string;
}

export type Outcome =
  | { readonly ok: true; readonly placed: readonly Placed[] }
  | { readonly ok: false; readonly refusal: Refusal };

interface Waiting extends Pending {
  readonly bytes: number;
  readonly events: number;
  readonly resolve: (outcome: Outcome) => void;
  readonly reject: (error: unknown) => void;
}

interface Cached {
  readonly row: StreamRow;
  readonly docs: Map<string, unknown>;
}

export interface Committer {
  submit(append: Append, prepared: readonly (readonly Prepared[])[]): Promise<Outcome>;
  /** Something other than an append changed this stream. */
  forget(stream: StreamId): void;
  /** Resolves when nothing is waiting or under way. */
  idle(): Promise<void>;
}

export interface CommitterDeps {
  readonly store: LogStore;
  readonly clock: Clock;
  /** Told in commit order, after the commit is durable. Must not throw. */
  readonly published: (placed: readonly Placed[]) => void;
}

/**
 * Group commit: appends that arrive while a commit is under way share the next one.
 * Invariants: callers are answered only after the commit that carries them; one commit at a time, in
 * order of arrival; an append that the store cannot take fails alone.
 */
export function createCommitter({ store, clock, published }: CommitterDeps): Committer {
  const queue: Waiting[] = [];
  const cache = new Map<StreamId, Cached>();
  let draining: Promise<void> | undefined;

  function takeGroup(): Waiting[] {
    let events = 0;
    let bytes = 0;
    let count = 0;
    for (const waiting of queue) {
      events += waiting.events;
      bytes += waiting.bytes;
      if (count > 0 && (events > GROUP_EVENTS || bytes > GROUP_BYTES)) break;
      count += 1;
    }
    return queue.splice(0, count);
  }

  async function drain(): Promise<void> {
    while (queue.length > 0) {
      // Lets I/O and the callers just answered run first: their next appends join this group. A store in
      // another process gains nothing by an earlier start: smaller groups cost more than the overlap saves.
      await new Promise<void>((resolve) => void setImmediate(resolve));
      await commitGroup(takeGroup());
    }
    draining = undefined;
  }

  async function commitGroup(group: readonly Waiting[]): Promise<void> {
    try {
      await tryGroup(group);
    } catch (error) {
      for (const waiting of group) for (const write of waiting.append.writes) cache.delete(write.stream);
      if (group.length === 1 || (error instanceof FairleadError && error.code === "store_unavailable")) {
        for (const waiting of group) waiting.reject(error);
        return;
      }
      // One of them is more than the store can take: each alone, so that only that one fails.
      for (const waiting of group) await commitGroup([waiting]);
    }
  }

  async function tryGroup(group: readonly Waiting[]): Promise<void> {
    const taken = await loadTaken(group);
    const fresh = new Set<StreamId>();
    for (let round = 0; round < MAX_REPLANS; round++) {
      await loadStreams(group, fresh);
      // Taken at once: while the rest is loaded, a lease that changes hands may forget them.
      const streams = new Map(streamsOf(group).flatMap((id) => rowEntry(id)));
      const origins = await loadOrigins(group);
      const docs = await loadDocs(group);
      const laid = plan(group, { streams, taken, origins, docs, now: new Date(clock.now()).toISOString() });
      // A refusal by remembered state is not trusted: another process may have moved on.
      const doubtful = laid.refused.flatMap((entry) => entry.because).filter((id) => !fresh.has(id));
      if (doubtful.length > 0) {
        for (const id of doubtful) cache.delete(id);
        continue;
      }
      if (laid.accepted.length === 0) return answer(laid, []);
      const committed = await store.commit(laid.change);
      if (committed.ok) return answer(laid, committed.positions);
      if (committed.why === "taken") for (const ref of committed.keys) taken.set(ref.key, ref);
      else for (const id of committed.streams) forgetStale(id, fresh);
    }
    throw new FairleadError("store_unavailable", {
      message: "Too many other writers: the append was given up after many tries.",
    });
  }

  function forgetStale(id: StreamId, fresh: Set<StreamId>): void {
    cache.delete(id);
    fresh.delete(id);
  }

  function rowEntry(id: StreamId): [StreamId, StreamRow][] {
    const row = cache.get(id)?.row;
    return row === undefined ? [] : [[id, row]];
  }

  function answer(laid: Plan<Waiting>, positions: readonly number[]): void {
    for (const { row } of laid.change.streams) remember(row);
    for (const row of laid.change.rows)
      cache.get(row.stream)?.docs.set(docKey(row.kind, row.id), laid.docs.get(docKey(row.kind, row.id)));
    const placed = laid.change.events.map((event, i): Placed => ({
      stream: laid.change.streams[event.stream]?.row.id as StreamId,
      seq: event.seq,
      pos: positions[i] as number,
      body: event.body,
    }));
    if (placed.length > 0) published(placed);
    for (const { pending, first, count } of laid.accepted)
      pending.resolve({ ok: true, placed: placed.slice(first, first + count) });
    for (const { pending, refusal } of laid.refused) pending.resolve({ ok: false, refusal });
  }

  function remember(row: StreamRow): void {
    const known = cache.get(row.id)?.docs;
    const docs = known === undefined || known.size > CACHED_DOCS ? new Map<string, unknown>() : known;
    cache.delete(row.id);
    cache.set(row.id, { row, docs });
    if (cache.size > CACHED_STREAMS) {
      const oldest = cache.keys().next();
      if (!oldest.done) cache.delete(oldest.value);
    }
  }

  async function loadTaken(group: readonly Waiting[]): Promise<Map<string, KeyRef>> {
    const keys = group.flatMap((waiting) => waiting.append.keys ?? []);
    const found = keys.length === 0 ? [] : await store.loadKeys(keys);
    return new Map(found.map((ref) => [ref.key, ref]));
  }

  async function loadStreams(group: readonly Waiting[], fresh: Set<StreamId>): Promise<void> {
    const missing = streamsOf(group).filter((id) => !cache.has(id));
    if (missing.length === 0) return;
    for (const row of await store.loadStreams(missing)) remember(row);
    for (const id of missing) fresh.add(id);
  }

  async function loadOrigins(group: readonly Waiting[]): Promise<Map<StreamWrite, Origin | Refusal>> {
    const origins = new Map<StreamWrite, Origin | Refusal>();
    for (const waiting of group) {
      for (const write of waiting.append.writes) {
        if (write.create?.fork !== undefined) origins.set(write, await loadOrigin(store, write.create.fork));
      }
    }
    return origins;
  }

  async function loadDocs(group: readonly Waiting[]): Promise<Map<string, unknown>> {
    const docs = new Map<string, unknown>();
    for (const waiting of group) {
      for (const [w, events] of waiting.prepared.entries()) {
        const stream = waiting.append.writes[w]?.stream as StreamId;
        for (const { projected } of events) {
          for (const { projection, key } of projected) {
            const id = docKey(projection.kind, key);
            if (!docs.has(id)) docs.set(id, await loadDoc(stream, projection.kind, key));
          }
        }
      }
    }
    return docs;
  }

  async function loadDoc(stream: StreamId, kind: string, key: string): Promise<unknown> {
    const remembered = cache.get(stream)?.docs;
    const id = docKey(kind, key);
    if (remembered?.has(id)) return remembered.get(id);
    const text = await store.loadRow(kind, key);
    const doc = text === undefined ? undefined : (JSON.parse(text) as unknown);
    remembered?.set(id, doc);
    return doc;
  }

  return {
    submit(append, prepared) {
      return new Promise<Outcome>((resolve, reject) => {
        let events = 0;
        let bytes = 0;
        for (const some of prepared) {
          events += some.length;
          for (const event of some) {
            bytes += event.body.length;
            for (const blob of event.blobs) bytes += blob.bytes.length;
          }
        }
        queue.push({ append, prepared, events, bytes, resolve, reject });
        draining ??= drain();
      });
    },
    forget(stream) {
      cache.delete(stream);
    },
    async idle() {
      while (draining !== undefined) await draining;
    },
  };
}

function streamsOf(group: readonly Pending[]): StreamId[] {
  return [...new Set(group.flatMap((pending) => pending.append.writes.map((write) => write.stream)))];
}
