import { FairleadError, type StreamId } from "@fairlead/contract";
import pg from "pg";
import type { KeyRef } from "../../ports/event-log.ts";
import type { Change, Committed, LogStore, StreamRow } from "../../ports/log-store.ts";
import { type Database, prepareSession } from "./database.ts";
import { type Link, createLink } from "./link.ts";
import { noteOf } from "./notice.ts";
import { retrying } from "./retry.ts";

/** One attempt at one commit; shorter than the whole, so that a dead connection is noticed while there is time for another. */
const ATTEMPT_MS = 10_000;
/** Of that, how much the server may wait for other writers: it gives up before we do. */
const WAIT_SHARE = 0.8;
const PARAMETERS = 34;
const NO_HASH = Buffer.alloc(32);

interface Answer {
  readonly outcome: "ok" | "stale" | "taken";
  readonly first_pos: number | null;
  readonly stale: StreamId[] | null;
  readonly taken: KeyRef[] | null;
}

export interface AppendOptions {
  /** Told to others, so that we can tell our own notices from theirs. */
  readonly writer: string;
  readonly commitLimitMs: number;
  /** Hears of each commit of ours, with its first and last position. */
  readonly committed: (first: number, last: number) => void;
}

/**
 * Commits on connections of its own, each in one call of `commit_change`: this process may freeze or die at any point
 * and leaves no transaction open. When the connection is lost before the answer, the same change is sent again; the
 * function knows a change that it has written (it looks for its first event), so nothing is doubled. There are two
 * connections, so that the next change is already at the server, waiting for its turn, when the last commits.
 */
export function createAppend(
  db: Database,
  { writer, commitLimitMs, committed }: AppendOptions,
): Pick<LogStore, "commit"> & { close(): Promise<void> } {
  const { name: store, schema } = db.target;
  const lanes = [newLane(db), newLane(db)] as const;
  const places = Array.from({ length: PARAMETERS }, (_, i) => `$${i + 1}`).join(", ");
  const text = `select * from ${schema}.commit_change(${places})`;

  async function write(link: Link, change: Change, rest: readonly unknown[]): Promise<Committed> {
    const note = noteOf(
      writer,
      change.streams.map(({ row }) => row.id),
    );
    const attempt = (leftMs: number) => {
      const timeoutMs = Math.max(1, Math.min(leftMs, ATTEMPT_MS));
      const values = [note, Math.ceil(timeoutMs * WAIT_SHARE), ...rest];
      return link.ask<Answer & pg.QueryResultRow>({ name: "commit", text, values }, timeoutMs);
    };
    try {
      const [answer] = await retrying(attempt, { store, limitMs: commitLimitMs, closed: db.closed });
      const result = decodeAnswer(answer as Answer, change);
      if (result.ok && result.positions.length > 0)
        committed(result.positions[0] as number, result.positions.at(-1) as number);
      return result;
    } catch (error) {
      throw idTaken(error) ?? error;
    }
  }

  return {
    async commit(change) {
      const rest = encodeChange(change);
      const lane = lanes[0].waiting <= lanes[1].waiting ? lanes[0] : lanes[1];
      lane.waiting += 1;
      const result = lane.last.then(() => write(lane.link, change, rest));
      lane.last = result.then(
        () => void (lane.waiting -= 1),
        () => void (lane.waiting -= 1),
      );
      return result;
    },
    async close() {
      await Promise.all(lanes.map((lane) => lane.last));
      await Promise.all(lanes.map((lane) => lane.link.close()));
    },
  };
}

/** A connection and what waits for it. */
interface Lane {
  readonly link: Link;
  waiting: number;
  /** Never rejects. */
  last: Promise<void>;
}

function newLane(db: Database): Lane {
  return { link: createLink(db.client, prepareSession), waiting: 0, last: Promise.resolve() };
}

function decodeAnswer({ outcome, first_pos, stale, taken }: Answer, change: Change): Committed {
  if (outcome === "taken") return { ok: false, why: "taken", keys: taken ?? [] };
  if (outcome === "stale")
    return { ok: false, why: "stale", streams: stale ?? change.streams.map(({ row }) => row.id) };
  return { ok: true, positions: change.events.map((_, i) => (first_pos as number) + i) };
}

function idTaken(error: unknown): FairleadError | undefined {
  if (!(error instanceof pg.DatabaseError) || error.code !== "23505" || error.constraint !== "events_id_key")
    return undefined;
  return new FairleadError("event_invalid", {
    message: `An event id is taken: ${error.detail}`,
    cause: error,
  });
}

/** The parameters of `commit_change` after the first two, in its order. An empty list is null. */
function encodeChange(change: Change): unknown[] {
  const { events, keys, rows, blobs, seals, families, onto } = change;
  const old = change.streams.filter(({ expect }) => expect !== "new");
  const made = change.streams.filter(({ expect }) => expect === "new");
  const ids = [...old, ...made].map(({ row }) => row.id);
  const places = new Map(ids.map((id, i) => [id, i + 1]));
  const numbers = change.streams.map(({ row }) => places.get(row.id) as number);
  const placeOf = ({ stream }: { readonly stream: StreamId }): number => {
    const place = places.get(stream);
    if (place === undefined) throw new TypeError(`the change refers to ${stream} but does not touch it`);
    return place;
  };
  const expected = old.map(({ expect }) => expect as { readonly head_seq: number; readonly epoch?: number });
  return [
    old.map(({ row }) => row.id),
    list(expected, ({ head_seq }) => head_seq),
    list(expected, ({ epoch }) => epoch ?? "NULL"),
    list(old, ({ row }) => row.head_seq),
    Buffer.concat(old.map(({ row }) => row.head_hash)),
    made.length === 0 ? null : JSON.stringify(made.map(({ row }) => encodeStream(row))),
    families.length === 0 ? null : families.map(({ root }) => root),
    list(families, ({ rev }) => rev),
    list(events, ({ stream }) => numbers[stream] as number),
    list(events, ({ seq }) => seq),
    lines(events, ({ id }) => id),
    lines(events, ({ type }) => type),
    lines(events, ({ body }) => body),
    Buffer.concat(events.map(({ hash }) => hash)),
    keys.length === 0 ? null : keys.map(({ key }) => key),
    list(keys, placeOf),
    list(keys, ({ seq }) => seq),
    rows.length === 0 ? null : rows.map(({ kind }) => kind),
    rows.length === 0 ? null : rows.map(({ id }) => id),
    list(rows, placeOf),
    rows.length === 0 ? null : rows.map(({ state }) => state),
    list(rows, ({ at }) => at),
    lines(rows, ({ doc }) => doc),
    blobs.length === 0 ? null : blobs.map(({ sha256 }) => sha256),
    blobs.length === 0 ? null : blobs.map(({ bytes }) => bytes),
    list(blobs, placeOf),
    list(blobs, ({ seq }) => seq),
    list(seals, placeOf),
    list(seals, ({ seq }) => seq),
    seals.length === 0 ? null : seals.map(({ box }) => box),
    onto?.event ?? null,
    onto === undefined ? null : Buffer.concat(old.map(({ row }) => onto.heads.get(row.id) ?? NO_HASH)),
  ];
}

/** An array literal of numbers. */
function list<T>(items: readonly T[], number: (item: T) => number | "NULL"): string | null {
  return items.length === 0 ? null : `{${items.map(number).join(",")}}`;
}

/** Text that holds no newline of its own, as JSON never does: cheaper to write and to read than an array of quoted text. */
function lines<T>(items: readonly T[], text: (item: T) => string): string | null {
  return items.length === 0 ? null : items.map(text).join("\n");
}

function encodeStream({ base_hash, floor_hash, head_hash, ...row }: StreamRow): Record<string, unknown> {
  return {
    ...row,
    base_hash: base_hash.toString("hex"),
    floor_hash: floor_hash.toString("hex"),
    head_hash: head_hash.toString("hex"),
  };
}
