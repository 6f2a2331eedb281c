import { type AnyEvent, FairleadError, type StreamId } from "@fairlead/contract";
import type { Clock } from "../ports/clock.ts";
import type { Append, EventLog, Positioned, StreamInfo } from "../ports/event-log.ts";
import type { Ids } from "../ports/ids.ts";
import type { LogStore, StreamRow } from "../ports/log-store.ts";
import type { Projection } from "../ports/projection.ts";
import { type Placed, createCommitter } from "./committer.ts";
import { decodeBody } from "./encode.ts";
import { createFeeds } from "./feeds.ts";
import { follow } from "./follow.ts";
import { hashAt, lineage, segments } from "./history.ts";
import { isBlob } from "./offload.ts";
import { openRow } from "./origin.ts";
import { makeOwedRows } from "./owed-rows.ts";
import { type Prepared, createPrepare, isRefusal } from "./prepare.ts";
import { indexProjections } from "./projecting.ts";
import { createReader } from "./reader.ts";
import { type Redactor, createRedactor } from "./redact.ts";
import { dropped } from "./retention.ts";
import { createRowsBehind } from "./rows-behind.ts";
import type { Sealer } from "./seal.ts";
import type { Entry } from "./tail.ts";
import { verifyLog } from "./verify.ts";

export interface EventLogDeps {
  readonly store: LogStore;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly projections?: readonly Projection[];
  readonly redactor?: Redactor;
  /** Without one, an append that must seal something is refused. */
  readonly sealer?: Sealer;
  /** Told of an event that a row had to be made without. Must not throw. */
  readonly report?: (error: unknown) => void;
}

/** Small enough that a page of the largest events is a few megabytes. */
const FOLLOW_PAGE = 200;

/** The log over a store. See `EventLog` for what it promises. */
export function createEventLog(deps: EventLogDeps): EventLog {
  const { store, clock, sealer } = deps;
  const closed = new AbortController();
  const projections = indexProjections(deps.projections ?? []);
  // Who knows no projections makes no rows, and leaves them to who does.
  const later = deps.projections?.length ? store.later : undefined;
  const behind =
    later === undefined ? undefined : createRowsBehind(later, projections, deps.report ?? (() => {}));
  const prepare = createPrepare({
    ...deps,
    sealer,
    // Which rows they change is looked at with the rows.
    projections: behind === undefined ? projections : { ...projections, of: () => [] },
    redactor: deps.redactor ?? createRedactor(),
  });
  const reader = createReader({ store, loadStream, now: () => new Date(clock.now()).toISOString() });
  const feeds = createFeeds({
    readStream: async (stream, after) =>
      (await readPage(stream, after, "own")).map((event) => weighed(replayed(event), event)),
    readAll: async (after) => (await readAllPage(after)).map((item) => weighed(positioned(item), item.event)),
  });
  const committer = createCommitter({ store, clock, published: feeds.published, behind });
  let owing = behind !== undefined;
  let making: Promise<void> | undefined;
  const unwatch = store.watch(feeds.othersCommitted);

  /** Until the last process's rows are made nothing is committed, and no row is read: events come in their order. */
  async function makeRows(): Promise<void> {
    if (behind === undefined) return;
    making ??= makeOwedRows(store, behind).finally(() => void (making = undefined));
    await making;
    owing = false;
  }

  async function upToDate(): Promise<void> {
    if (owing) await makeRows();
    behind?.catchUp();
  }

  async function readPage(
    stream: StreamId,
    after: number,
    history: "own" | "full",
  ): Promise<readonly AnyEvent[]> {
    return (await reader.read(stream, { after, limit: FOLLOW_PAGE, history })).events;
  }

  async function readAllPage(after: number, limit = FOLLOW_PAGE): Promise<readonly Positioned[]> {
    const found = await store.scanAll(after, limit);
    return found.map(({ pos, stream, seq, body }) => ({ pos, event: decodeBody(stream, seq, body) }));
  }

  function signalsOf(own: AbortSignal | undefined): readonly AbortSignal[] {
    return own === undefined ? [closed.signal] : [closed.signal, own];
  }

  async function loadStream(id: StreamId): Promise<StreamRow | undefined> {
    return committer.known(id) ?? (await store.loadStreams([id]))[0];
  }

  async function loadOpen(id: StreamId): Promise<StreamRow> {
    const [row] = await store.loadStreams([id]);
    return openRow(id, row);
  }

  /** Changes one row of a family and drops what no one can read any more; again if somebody was faster. */
  async function retain(id: StreamId, change: (row: StreamRow) => Promise<StreamRow>): Promise<StreamInfo> {
    for (;;) {
      const row = await loadOpen(id);
      const family = await store.family(row.root);
      const root = family.find((member) => member.id === row.root);
      const after = await change(row);
      const next = family.map((member) => (member.id === id ? after : member));
      // Rows are not made of events that are gone.
      await upToDate();
      const done = await store.retain({
        root: row.root,
        rev: root?.rev ?? 0,
        rows: [after],
        drop: dropped(family, next),
      });
      committer.forget(id);
      behind?.forget(id);
      if (done) return infoOf(after);
    }
  }

  return {
    shared: store.apart,
    async append(append) {
      if (closed.signal.aborted) throw new FairleadError("shutting_down");
      if (owing) await makeRows();
      demandShape(append);
      const prepared: Prepared[][] = [];
      for (const write of append.writes) {
        const some: Prepared[] = [];
        for (const event of write.events) {
          const one = prepare(event, write.stream);
          if (isRefusal(one)) return { ok: false, refusal: one };
          some.push(one);
        }
        prepared.push(some);
      }
      const outcome = await committer.submit(append, prepared);
      return outcome.ok ? new Durable(outcome.placed) : outcome;
    },
    read: (stream, options = {}) => reader.read(stream, options),
    async readAll(options = {}) {
      const events = await readAllPage(options.after ?? 0, Math.min(options.limit ?? FOLLOW_PAGE, 1_000));
      return { events, next: events.at(-1)?.pos ?? options.after ?? 0 };
    },
    lastPosition: () => store.lastPosition(),
    subscribe(stream, options = {}) {
      const { after = 0, history = "own", signal } = options;
      const readStore = async (from: number) => (await readPage(stream, from, history)).map(replayed);
      return follow({ join: () => feeds.joinStream(stream), after, readStore, signals: signalsOf(signal) });
    },
    subscribeAll({ after = 0, signal } = {}) {
      const readStore = async (from: number) => (await readAllPage(from)).map(positioned);
      return follow({ join: () => feeds.joinAll(), after, readStore, signals: signalsOf(signal) });
    },
    async stream(id) {
      const row = await loadStream(id);
      return row === undefined ? undefined : infoOf(row);
    },
    async findEvent(id) {
      const found = await store.findEvent(id);
      return found === undefined ? undefined : decodeBody(found.stream, found.seq, found.body);
    },
    async findKey(key) {
      return (await store.loadKeys([key]))[0];
    },
    async row<T>(kind: string, id: string) {
      if (owing) await makeRows();
      if (behind !== undefined) return copyOf(behind.doc(kind, id)) as T | undefined;
      const text = await store.loadRow(kind, id);
      return text === undefined ? undefined : (JSON.parse(text) as T);
    },
    async count(kind, filter = {}) {
      await upToDate();
      return store.count(kind, filter);
    },
    async rows<T>(kind: string, query = {}) {
      await upToDate();
      const page = await store.rows(kind, query);
      return { rows: page.rows.map((text) => JSON.parse(text) as T), cursor: page.cursor };
    },
    trim: (stream, upTo) =>
      retain(stream, async (row) => {
        if (!Number.isSafeInteger(upTo) || upTo < 1 || upTo > row.head_seq) {
          throw new FairleadError("invalid_cursor", {
            message: `${stream} has no event ${upTo} to trim to.`,
            details: { head_seq: row.head_seq },
          });
        }
        if (upTo <= row.floor_seq) return row;
        const floor_hash = await hashAt(store, await lineage(store, row), upTo);
        if (floor_hash === undefined)
          throw new FairleadError("chain_broken", { message: `The event ${upTo} of ${stream} is missing.` });
        return { ...row, floor_seq: upTo, floor_hash };
      }),
    async purge(stream) {
      const info = await retain(stream, async (row) => ({ ...row, state: "purged" }));
      feeds.othersCommitted([stream]);
      return info;
    },
    async acquireLease(stream, holder, ttlMs) {
      const epoch = await store.acquireLease(stream, holder, ttlMs);
      if (store.apart || epoch === undefined) committer.forget(stream);
      else committer.leased(stream, epoch);
      return epoch === undefined ? undefined : { stream, holder, epoch };
    },
    renewLease: (lease, ttlMs) => store.renewLease(lease.stream, lease.epoch, ttlMs),
    releaseLease: (lease) => store.releaseLease(lease.stream, lease.epoch),
    leases: (streams) => store.leases(streams),
    async blob(stream, sha256) {
      const row = await loadOpen(stream);
      const readable = segments(await lineage(store, row)).map((part) => ({
        ...part,
        after: Math.max(part.after, row.floor_seq),
      }));
      const bytes = await store.blob(sha256, readable);
      if (bytes !== undefined && !isBlob(bytes, sha256))
        throw new FairleadError("chain_broken", { message: `The blob ${sha256} is not what was written.` });
      return bytes;
    },
    async unseal(stream, seq) {
      const box = await store.sealed(stream, seq);
      if (box === undefined) return undefined;
      if (sealer === undefined) throw new FairleadError("seal_key_missing");
      const [event] = await store.scanHashes(stream, seq - 1, 1);
      if (event?.seq !== seq) return undefined;
      return JSON.parse(sealer.open(event.id, box)) as unknown;
    },
    verify: (stream, progress = () => {}) => verifyLog(store, stream, progress),
    ping: () => store.ping(),
    async close() {
      closed.abort();
      unwatch();
      await committer.idle();
      behind?.stop();
      await store.close();
    },
  };
}

/** What is folded on must stay as it is. */
function copyOf(doc: unknown): unknown {
  return doc === undefined ? undefined : (JSON.parse(JSON.stringify(doc)) as unknown);
}

/** Mistakes of the calling code, not of its input. */
function demandShape({ writes }: Append): void {
  const twice = writes.length > 1 && new Set(writes.map((write) => write.stream)).size !== writes.length;
  if (twice || writes.every((write) => write.events.length === 0)) {
    throw new TypeError("an append names each stream once and carries at least one event");
  }
}

/** For a follower that reads for itself: nothing of it is kept, so its size does not matter. */
function replayed(event: AnyEvent): Entry<AnyEvent> {
  return { at: event.seq, item: event, bytes: 0 };
}

function positioned(item: Positioned): Entry<Positioned> {
  return { at: item.pos, item, bytes: 0 };
}

/** For a tail, which keeps it. */
function weighed<Item>(entry: Entry<Item>, event: AnyEvent): Entry<Item> {
  return { ...entry, bytes: JSON.stringify(event.data).length };
}

/**
 * Decoded only when asked for: most writers need only to know that it is durable. A class, because a getter in an
 * object literal gives every object a shape of its own, which keeps all that it closes over until a full collection.
 */
class Durable {
  readonly ok = true;
  readonly #placed: readonly Placed[];
  constructor(placed: readonly Placed[]) {
    this.#placed = placed;
  }
  /** Each is decoded once for all who ask. */
  get events(): readonly AnyEvent[] {
    return this.#placed.map(({ event }) => event());
  }
}

/** What callers may know of a stream: all but what extends its chain. */
function infoOf(row: StreamRow): StreamInfo {
  const { root, rev, base_hash, floor_hash, head_hash, epoch, ...info } = row;
  return info;
}
