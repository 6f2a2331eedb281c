import { FairleadError, type StreamId } from "@fairlead/contract";
import type { KeyRef, RowPage } from "../../ports/event-log.ts";
import type { Clock } from "../../ports/clock.ts";
import type {
  Change,
  Committed,
  EventRow,
  LogStore,
  ProjectedRow,
  StreamRow,
} from "../../ports/log-store.ts";
import type { RowFilter, RowOrder } from "../../ports/row-query.ts";
import { type RowCursor, cursorAfter, decodeCursor } from "../cursor.ts";
import { fits, keyOf } from "../row-tests.ts";

interface Stream {
  row: StreamRow;
  events: Map<number, Omit<EventRow, "stream">>;
  lease: { holder: string; until: number } | undefined;
}

interface Blob {
  readonly bytes: Uint8Array;
  readonly refs: Set<string>;
}

/** Nothing survives the process: for tests and for trying things out. Same promises otherwise. */
export function openMemoryStore({ clock }: { clock: Clock }): LogStore {
  const streams = new Map<StreamId, Stream>();
  const order: { pos: number; stream: StreamId; seq: number }[] = [];
  const byEventId = new Map<string, { stream: StreamId; seq: number }>();
  const keys = new Map<string, KeyRef>();
  const rows = new Map<string, ProjectedRow>();
  const blobs = new Map<string, Blob>();
  const seals = new Map<string, Uint8Array>();
  let lastPos = 0;

  const place = (stream: StreamId, seq: number) => `${stream}/${seq}`;

  function staleStreams(change: Change): StreamId[] {
    const { onto } = change;
    if (onto !== undefined && !byEventId.has(onto.event)) return change.streams.map(({ row }) => row.id);
    const stale = change.streams.flatMap(({ row, expect }) => {
      const now = streams.get(row.id)?.row;
      if (expect === "new") return now === undefined ? [] : [row.id];
      const same =
        now?.state === "open" &&
        now.head_seq === expect.head_seq &&
        (onto === undefined || onto.heads.get(row.id)?.equals(now.head_hash) === true) &&
        (expect.epoch === undefined || now.epoch === expect.epoch);
      return same ? [] : [row.id];
    });
    const families = change.families.filter(({ root, rev }) => streams.get(root)?.row.rev !== rev);
    return [...stale, ...families.map(({ root }) => root)];
  }

  function apply(change: Change): number[] {
    for (const { root } of change.families) bumpRev(root);
    for (const { row } of change.streams) {
      const there = streams.get(row.id);
      if (there === undefined) streams.set(row.id, { row, events: new Map(), lease: undefined });
      else there.row = { ...there.row, head_seq: row.head_seq, head_hash: row.head_hash };
    }
    const positions = change.events.map(({ stream: index, ...event }) => {
      const id = change.streams[index]?.row.id as StreamId;
      streams.get(id)?.events.set(event.seq, event);
      byEventId.set(event.id, { stream: id, seq: event.seq });
      lastPos += 1;
      order.push({ pos: lastPos, stream: id, seq: event.seq });
      return lastPos;
    });
    for (const ref of change.keys) keys.set(ref.key, ref);
    for (const row of change.rows) rows.set(`${row.kind}:${row.id}`, row);
    for (const { sha256, bytes, stream, seq } of change.blobs) {
      const blob = blobs.get(sha256) ?? { bytes, refs: new Set<string>() };
      blob.refs.add(place(stream, seq));
      blobs.set(sha256, blob);
    }
    for (const { stream, seq, box } of change.seals) seals.set(place(stream, seq), box);
    return positions;
  }

  function bumpRev(root: StreamId): void {
    const stream = streams.get(root);
    if (stream !== undefined) stream.row = { ...stream.row, rev: stream.row.rev + 1 };
  }

  function drop(id: StreamId, seq: number): void {
    const event = streams.get(id)?.events.get(seq);
    if (event === undefined) return;
    streams.get(id)?.events.delete(seq);
    byEventId.delete(event.id);
    seals.delete(place(id, seq));
    for (const [sha256, blob] of blobs) {
      blob.refs.delete(place(id, seq));
      if (blob.refs.size === 0) blobs.delete(sha256);
    }
  }

  function known(id: StreamId): Stream {
    const stream = streams.get(id);
    if (stream === undefined) throw new FairleadError("session_not_found", { details: { stream: id } });
    return stream;
  }

  function isHeld(id: StreamId): boolean {
    return (streams.get(id)?.lease?.until ?? 0) > clock.now();
  }

  function fitting(kind: string, filter: RowFilter): ProjectedRow[] {
    const { beside } = filter;
    return [...rows.values()].filter((row) => {
      if (row.kind !== kind || !inScope(row, filter)) return false;
      if (filter.state?.includes(row.state) === false || filter.ids?.includes(row.id) === false) return false;
      if (filter.stream !== undefined && row.stream !== filter.stream) return false;
      if (filter.unheld === true && isHeld(row.stream)) return false;
      if (filter.where !== undefined && !fits(row.doc, filter.where, textOf(row.id))) return false;
      if (beside === undefined) return true;
      const other = rows.get(`${beside.kind}:${row.id}`);
      if (other === undefined || !beside.state.includes(other.state)) return false;
      return beside.where === undefined || fits(other.doc, beside.where, textOf(row.id));
    });
  }

  const textOf = (id: string) => (mark: string) => rows.get(`${mark}:${id}`)?.doc;

  type Listed = RowCursor & Pick<ProjectedRow, "doc">;

  /** As it stands in the order that is asked for. */
  function listed({ id, at, doc }: ProjectedRow, by: RowOrder | undefined): Listed {
    if (by === undefined) return { at, id, doc };
    if ("field" in by) return { at, id, doc, key: keyOf(doc, by) };
    const mark = rows.get(`${by.mark}:${id}`);
    return { at: mark?.at ?? at, id, doc, key: mark === undefined ? 0 : 1 };
  }

  function inScope(row: ProjectedRow, query: RowFilter): boolean {
    const spec = streams.get(row.stream)?.row;
    const scope = query.scope ?? {};
    const owner = scope.owner ?? "user";
    return (
      (owner === "any" || spec?.owner === owner) &&
      (scope.project === undefined || spec?.project === scope.project) &&
      (scope.created_by === undefined || spec?.created_by === scope.created_by)
    );
  }

  return {
    name: "memory",
    apart: false,
    alone: false,
    async loadStreams(ids) {
      return ids.flatMap((id) => streams.get(id)?.row ?? []);
    },
    async loadKeys(wanted) {
      return wanted.flatMap((key) => keys.get(key) ?? []);
    },
    async loadRow(kind, id) {
      return rows.get(`${kind}:${id}`)?.doc;
    },
    async commit(change): Promise<Committed> {
      const stale = staleStreams(change);
      if (stale.length > 0) return { ok: false, why: "stale", streams: stale };
      const taken = change.keys.flatMap(({ key }) => keys.get(key) ?? []);
      if (taken.length > 0) return { ok: false, why: "taken", keys: taken };
      const twice = change.events.find((event) => byEventId.has(event.id));
      if (twice !== undefined)
        throw new FairleadError("event_invalid", { message: `The event id ${twice.id} is taken.` });
      return { ok: true, positions: apply(change) };
    },
    async scan(id, { after, upTo, descending, limit, types }) {
      const events = streams.get(id)?.events ?? new Map<number, EventRow>();
      const found = [...events.values()].filter(
        (event) => event.seq > after && event.seq <= upTo && (types?.includes(event.type) ?? true),
      );
      return (descending ? found.toReversed() : found).slice(0, limit);
    },
    async scanAll(after, limit) {
      return order
        .filter(({ pos, stream, seq }) => pos > after && streams.get(stream)?.events.has(seq))
        .slice(0, limit)
        .map((entry) => ({
          ...entry,
          body: streams.get(entry.stream)?.events.get(entry.seq)?.body as string,
        }));
    },
    async scanHashes(id, after, limit) {
      return [...(streams.get(id)?.events.values() ?? [])]
        .filter((event) => event.seq > after)
        .slice(0, limit);
    },
    async lastPosition() {
      return lastPos;
    },
    async findEvent(id) {
      const found = byEventId.get(id);
      const body = found && streams.get(found.stream)?.events.get(found.seq)?.body;
      return found === undefined || body === undefined ? undefined : { ...found, body };
    },
    async listStreams(after, limit) {
      const ids = [...streams.keys()].filter((id) => id > after).toSorted();
      return ids.slice(0, limit).map((id) => known(id).row);
    },
    async family(root) {
      const members = [...streams.values()].map((stream) => stream.row).filter((row) => row.root === root);
      return members.toSorted((a, b) => Number(b.id === root) - Number(a.id === root));
    },
    async retain({ root, rev, rows: changed, drop: ranges }) {
      const moved = changed.some(
        (change) => change.state === "purged" && known(change.id).row.head_seq !== change.head_seq,
      );
      if (moved || known(root).row.rev !== rev) return false;
      for (const change of changed)
        known(change.id).row = {
          ...known(change.id).row,
          floor_seq: change.floor_seq,
          floor_hash: change.floor_hash,
          state: change.state,
        };
      const purged = new Set(
        changed.filter((change) => change.state === "purged").map((change) => change.id),
      );
      for (const [key, row] of rows) if (purged.has(row.stream)) rows.delete(key);
      for (const { stream, from, to } of ranges) for (let seq = from; seq <= to; seq++) drop(stream, seq);
      bumpRev(root);
      return true;
    },
    async rows(kind, query): Promise<RowPage<string>> {
      const { limit = 50, order: by } = query;
      const type =
        by === undefined
          ? undefined
          : "field" in by && typeof by.otherwise === "string"
            ? "string"
            : "number";
      const from = query.cursor === undefined ? undefined : decodeCursor(query.cursor, type);
      const ascending = by !== undefined && "field" in by && by.ascending === true;
      const compare = comparing(query.oldest === true, ascending);
      const found = fitting(kind, query)
        .map((row) => listed(row, by))
        .toSorted(compare)
        .filter((row) => from === undefined || compare(from, row) < 0);
      return { rows: found.slice(0, limit).map((row) => row.doc), cursor: cursorAfter(found, limit) };
    },
    count: async (kind, filter) => fitting(kind, filter).length,
    async blob(sha256, segments) {
      const blob = blobs.get(sha256);
      const referred = [...(blob?.refs ?? [])].some((ref) => {
        const [id, seq] = ref.split("/");
        return segments.some(
          ({ stream, after, upTo }) => stream === id && Number(seq) > after && Number(seq) <= upTo,
        );
      });
      return referred ? blob?.bytes : undefined;
    },
    async sealed(stream, seq) {
      return seals.get(place(stream, seq));
    },
    async acquireLease(id, holder, ttlMs) {
      const stream = known(id);
      const now = clock.now();
      if (stream.lease !== undefined && stream.lease.until > now && stream.lease.holder !== holder)
        return undefined;
      stream.lease = { holder, until: now + ttlMs };
      stream.row = { ...stream.row, epoch: stream.row.epoch + 1 };
      return stream.row.epoch;
    },
    async renewLease(id, epoch, ttlMs) {
      const stream = known(id);
      if (stream.row.epoch !== epoch || stream.lease === undefined) return false;
      stream.lease.until = clock.now() + ttlMs;
      return true;
    },
    async releaseLease(id, epoch) {
      const stream = known(id);
      if (stream.row.epoch === epoch) stream.lease = undefined;
    },
    async leases(ids) {
      const held = (id: StreamId) => streams.get(id)?.lease?.until;
      return new Map(ids.flatMap((id) => (held(id) === undefined ? [] : [[id, held(id) as number]])));
    },
    watch: () => () => {},
    async ping() {},
    async close() {},
  };
}

/** In the order that lists have, oldest first. */
/** By their keys, where they have any, then by time, then by id. */
function comparing(oldest: boolean, ascending: boolean): (a: RowCursor, b: RowCursor) => number {
  const [way, first] = [oldest ? 1 : -1, ascending ? 1 : -1];
  return (a, b) => {
    if (a.key !== b.key) return (a.key ?? 0) < (b.key ?? 0) ? -first : first;
    return way * (a.at - b.at || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0));
  };
}
