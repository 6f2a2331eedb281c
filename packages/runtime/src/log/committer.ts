import { type AnyEvent, FairleadError, type StreamId } from "@fairlead/contract";
import type { Clock } from "../ports/clock.ts";
import type { Append, KeyRef, Refusal, StreamWrite } from "../ports/event-log.ts";
import type { Change, LogStore, StreamRow } from "../ports/log-store.ts";
import { decodeBody } from "./encode.ts";
import { loadOrigin } from "./origin.ts";
import { type Origin, type Pending, type Plan, plan } from "./plan.ts";
import type { Prepared } from "./prepare.ts";
import { docKey } from "./row-fold.ts";
import type { Owed, RowsBehind } from "./rows-behind.ts";

/** Bounds of one commit, so that other work gets its turn between two. */
const GROUP_EVENTS = 512;
const GROUP_BYTES = 1024 * 1024;
const CACHED_STREAMS = 5_000;
const CACHED_DOCS = 200;
const MAX_REPLANS = 100;
/** A store that takes its time is given about half of what is under way at a time, but not less than this. */
const LEAST_APPENDS = 64;

/** An event with its place, as it was committed. */
export interface Placed {
  readonly stream: StreamId;
  readonly seq: number;
  readonly pos: number;
  readonly body: string;
  /** Decoded when somebody asks, once for all who do: nobody may change it. */
  readonly event: () => AnyEvent;
}

export function place(
  stream: StreamId,
  seq: number,
  pos: number,
  body: string,
  decoded?: AnyEvent | undefined,
): Placed {
  let event = decoded;
  return { stream, seq, pos, body, event: () => (event ??= decodeBody(stream, seq, body)) };
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
  /** The stream as it stands, when that is known without asking the store. */
  known(stream: StreamId): StreamRow | undefined;
  /** A lease was given out, and nobody else writes to the store: all that changed is the epoch. */
  leased(stream: StreamId, epoch: number): void;
  /** Resolves when nothing is waiting or under way. */
  idle(): Promise<void>;
}

export interface CommitterDeps {
  readonly store: LogStore;
  readonly clock: Clock;
  /** Told in commit order, after the commit is durable. Must not throw. */
  readonly published: (placed: readonly Placed[]) => void;
  /** Makes rows after the commit. Without it they are part of it. */
  readonly behind: RowsBehind | undefined;
}

const NO_ORIGINS: ReadonlyMap<StreamWrite, Origin | Refusal> = new Map();

/** A group on its way, for the one behind it. */
interface Flight {
  readonly appends: number;
  /** What the store was given last, until it comes back. While it is there, the cache is as that will leave things. */
  ahead: Ahead | undefined;
  /** Something of it was given to the store, or it is done. */
  readonly sent: Promise<void>;
  readonly markSent: () => void;
}

interface Ahead {
  readonly lastEvent: string;
}

interface Flown {
  readonly flight: Flight;
  /** Every caller has its answer. Never rejects. */
  readonly done: Promise<void>;
}

/**
 * Group commit: appends that arrive while a commit is under way share the next one. A store that is `apart` gets the
 * next group while it still commits the last: that one is planned as if the last had succeeded, and goes to the store
 * with the condition that it has (`Change.onto`). Invariants:
 * 1. Callers are answered only after the commit that carries them, in order of commits.
 * 2. Commits are in order of arrival. A group that comes back is planned again when all before it are done.
 * 3. Nobody is refused, and no append is to blame, because of a commit that is not known to have succeeded.
 * 4. An append that the store cannot take fails alone.
 */
export function createCommitter({ store, clock, published, behind }: CommitterDeps): Committer {
  const queue: Waiting[] = [];
  const cache = new Map<StreamId, Cached>();
  let draining: Promise<void> | undefined;

  function takeGroup(most: number): Waiting[] {
    let events = 0;
    let bytes = 0;
    let count = 0;
    for (const waiting of queue) {
      events += waiting.events;
      bytes += waiting.bytes;
      if (count > 0 && (count >= most || events > GROUP_EVENTS || bytes > GROUP_BYTES)) break;
      count += 1;
    }
    return queue.splice(0, count);
  }

  async function drain(): Promise<void> {
    const flown: Flown[] = [];
    while (queue.length > 0 || flown.length > 0) {
      // Lets I/O and the callers just answered run first: their next appends join this group.
      await new Promise<void>((resolve) => void setImmediate(resolve));
      if (queue.length > 0 && flown.length < (store.apart ? 2 : 1)) flown.push(launch(flown.at(-1)));
      else await flown.shift()?.done;
    }
    draining = undefined;
  }

  function launch(before: Flown | undefined): Flown {
    const half = Math.ceil((queue.length + (before?.flight.appends ?? 0)) / 2);
    const group = takeGroup(store.apart ? Math.max(half, LEAST_APPENDS) : Infinity);
    const { promise: sent, resolve: markSent } = Promise.withResolvers<void>();
    const flight: Flight = { appends: group.length, ahead: undefined, sent, markSent };
    const done = (async () => {
      await before?.flight.sent;
      await commitGroup(group, flight, before);
      markSent();
    })();
    return { flight, done };
  }

  async function commitGroup(group: readonly Waiting[], flight?: Flight, before?: Flown): Promise<void> {
    try {
      await tryGroup(group, flight, before);
    } catch (error) {
      if (flight !== undefined) flight.ahead = undefined;
      forget(streamsOf(group));
      if (error instanceof FairleadError && error.code === "store_unavailable") {
        for (const waiting of group) waiting.reject(error);
        return;
      }
      if (before !== undefined) {
        // Perhaps only what was foreseen is to blame (invariant 3).
        await before.done;
        return commitGroup(group, flight);
      }
      if (group.length === 1) {
        for (const waiting of group) waiting.reject(error);
        return;
      }
      // One of them is more than the store can take: each alone, so that only that one fails.
      for (const waiting of group) await commitGroup([waiting]);
    }
  }

  async function tryGroup(group: readonly Waiting[], flight?: Flight, before?: Flown): Promise<void> {
    const ids = streamsOf(group);
    const keys = group.flatMap((waiting) => waiting.append.keys ?? []);
    const taken = keys.length === 0 ? new Map<string, KeyRef>() : await loadTaken(keys);
    const forks = group.some(({ append }) => append.writes.some((write) => write.create?.fork !== undefined));
    const fresh = new Set<StreamId>();
    // Only the first try is made while the group before is under way.
    let base = before?.flight.ahead;
    if (base === undefined) await before?.done;
    for (let round = 0; round < MAX_REPLANS; round++) {
      if (ids.some((id) => !cache.has(id))) await loadStreams(ids, fresh);
      // Taken at once: while the rest is loaded, a lease that changes hands may forget them.
      const known = new Map(ids.flatMap((id) => cacheEntry(id)));
      const streams = new Map([...known].map(([id, { row }]) => [id, row]));
      const origins = forks ? await loadOrigins(group) : NO_ORIGINS;
      const docs = behind === undefined ? await loadDocs(group, known) : undefined;
      const laid = plan(group, { streams, taken, origins, docs, now: new Date(clock.now()).toISOString() });
      if (base !== undefined && (laid.refused.length > 0 || before?.flight.ahead !== base)) {
        await before?.done;
        base = undefined;
        fresh.clear();
        continue;
      }
      // A refusal by remembered state is not trusted: another process may have moved on.
      const doubtful = laid.refused.flatMap((entry) => entry.because).filter((id) => !fresh.has(id));
      if (doubtful.length > 0) {
        forget(doubtful, fresh);
        continue;
      }
      if (laid.accepted.length === 0) return answer(laid, []);
      foresee(laid, known);
      if (flight !== undefined) flight.ahead = { lastEvent: laid.change.events.at(-1)?.id as string };
      const committing = store.commit(base === undefined ? laid.change : onto(laid.change, base, streams));
      flight?.markSent();
      const committed = await committing;
      if (committed.ok) {
        // Its answer may come over another connection, and later (invariant 1).
        await before?.done;
        return answer(laid, committed.positions);
      }
      if (flight !== undefined) flight.ahead = undefined;
      if (committed.why === "taken") for (const ref of committed.keys) taken.set(ref.key, ref);
      else forget(committed.streams, fresh);
      forget(ids, fresh);
      await before?.done;
      base = undefined;
    }
    throw new FairleadError("store_unavailable", {
      message: "Too many other writers: the append was given up after many tries.",
    });
  }

  function forget(ids: readonly StreamId[], fresh?: Set<StreamId>): void {
    for (const id of ids) {
      cache.delete(id);
      fresh?.delete(id);
    }
  }

  /** Remembers how things will be after this commit, for the group behind it. */
  function foresee(laid: Plan<Waiting>, known: ReadonlyMap<StreamId, Cached>): void {
    for (const { row } of laid.change.streams) {
      const docs = known.get(row.id)?.docs;
      remember(row, docs === undefined || docs.size > CACHED_DOCS ? new Map<string, unknown>() : docs);
    }
    for (const row of laid.change.rows)
      cache.get(row.stream)?.docs.set(docKey(row.kind, row.id), laid.docs.get(docKey(row.kind, row.id)));
  }

  function cacheEntry(id: StreamId): [StreamId, Cached][] {
    const cached = cache.get(id);
    return cached === undefined ? [] : [[id, cached]];
  }

  function answer(laid: Plan<Waiting>, positions: readonly number[]): void {
    const last = positions.at(-1);
    if (last !== undefined) behind?.owe(owedFor(laid), last);
    const placed = laid.change.events.map(({ stream, seq, body }, i) =>
      place(
        laid.change.streams[stream]?.row.id as StreamId,
        seq,
        positions[i] as number,
        body,
        laid.decoded[i],
      ),
    );
    if (placed.length > 0) published(placed);
    for (const { pending, first, count } of laid.accepted)
      pending.resolve({ ok: true, placed: placed.slice(first, first + count) });
    for (const { pending, refusal } of laid.refused) pending.resolve({ ok: false, refusal });
  }

  function remember(row: StreamRow, docs: Map<string, unknown>): void {
    cache.delete(row.id);
    cache.set(row.id, { row, docs });
    if (cache.size > CACHED_STREAMS) {
      const oldest = cache.keys().next();
      if (!oldest.done) cache.delete(oldest.value);
    }
  }

  async function loadTaken(keys: readonly string[]): Promise<Map<string, KeyRef>> {
    return new Map((await store.loadKeys(keys)).map((ref) => [ref.key, ref]));
  }

  async function loadStreams(ids: readonly StreamId[], fresh: Set<StreamId>): Promise<void> {
    const missing = ids.filter((id) => !cache.has(id));
    for (const row of await store.loadStreams(missing)) remember(row, new Map());
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

  async function loadDocs(
    group: readonly Waiting[],
    known: ReadonlyMap<StreamId, Cached>,
  ): Promise<Map<string, unknown>> {
    const docs = new Map<string, unknown>();
    for (const waiting of group) {
      for (const [w, events] of waiting.prepared.entries()) {
        const stream = waiting.append.writes[w]?.stream as StreamId;
        for (const { projected } of events) {
          for (const { projection, key } of projected) {
            const id = docKey(projection.kind, key);
            if (!docs.has(id)) docs.set(id, await loadDoc(known.get(stream), projection.kind, key));
          }
        }
      }
    }
    return docs;
  }

  async function loadDoc(of: Cached | undefined, kind: string, key: string): Promise<unknown> {
    const remembered = of?.docs;
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
    known: (stream) => (store.alone ? cache.get(stream)?.row : undefined),
    leased(stream, epoch) {
      const cached = cache.get(stream);
      if (cached !== undefined) remember({ ...cached.row, epoch }, cached.docs);
    },
    async idle() {
      while (draining !== undefined) await draining;
    },
  };
}

function owedFor({ change, decoded }: Plan<Waiting>): Owed[] {
  return decoded.flatMap((event, i) => {
    const stream = change.streams[change.events[i]?.stream ?? -1]?.row;
    return event === undefined || stream === undefined ? [] : [{ event, stream }];
  });
}

/** The change, if what it was planned on is there. */
function onto(change: Change, { lastEvent }: Ahead, streams: ReadonlyMap<StreamId, StreamRow>): Change {
  const heads = new Map([...streams].map(([id, { head_hash }]) => [id, head_hash]));
  return { ...change, onto: { event: lastEvent, heads } };
}

function streamsOf(group: readonly Pending[]): StreamId[] {
  return [...new Set(group.flatMap((pending) => pending.append.writes.map((write) => write.stream)))];
}
