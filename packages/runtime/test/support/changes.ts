import type { StreamId } from "@fairlead/contract";
import { createHash, randomBytes } from "node:crypto";
import type { Change, Committed, EventRow, LogStore, StreamRow } from "../../src/ports/log-store.ts";

export const NO_HASH = Buffer.alloc(32);

export function newStreamId(): StreamId {
  return `ses_${randomBytes(13).toString("hex")}`;
}

export function streamRow(id: StreamId, some: Partial<StreamRow> = {}): StreamRow {
  return {
    id,
    root: id,
    parent: null,
    rev: 0,
    owner: "user",
    kind: "chat",
    project: null,
    broadcast: false,
    created_by: null,
    created_at: "2026-01-02T03:04:05.678Z",
    base_seq: 0,
    base_hash: NO_HASH,
    floor_seq: 0,
    floor_hash: NO_HASH,
    head_seq: 0,
    head_hash: NO_HASH,
    epoch: 0,
    state: "open",
    ...some,
  };
}

export function eventRow(stream: number, seq: number, data = "x"): EventRow {
  const id = `evt_${randomBytes(13).toString("hex")}`;
  const body = JSON.stringify({ id, data });
  return {
    stream,
    seq,
    id,
    type: "agent.output.delta",
    body,
    hash: createHash("sha256").update(body).digest(),
  };
}

export function changeOf(some: Partial<Change>): Change {
  return { streams: [], events: [], keys: [], rows: [], blobs: [], seals: [], families: [], ...some };
}

/** A change that adds `count` events to one stream, made anew or at the given row. */
export function extend(
  row: StreamRow,
  count: number,
  options: { expect?: "new"; epoch?: number } & Partial<Change> = {},
): Change {
  const { expect, epoch, ...rest } = options;
  const events = Array.from({ length: count }, (_, i) => eventRow(0, row.head_seq + i + 1));
  const after = { ...row, head_seq: row.head_seq + count, head_hash: events.at(-1)?.hash ?? row.head_hash };
  const seen = epoch === undefined ? { head_seq: row.head_seq } : { head_seq: row.head_seq, epoch };
  return changeOf({ streams: [{ row: after, expect: expect ?? seen }], events, ...rest });
}

export async function loadStream(store: LogStore, id: StreamId): Promise<StreamRow> {
  const [row] = await store.loadStreams([id]);
  if (row === undefined) throw new Error(`no stream ${id}`);
  return row;
}

/** A new stream with that many events. */
export async function makeStream(
  store: LogStore,
  count: number,
  some: Partial<StreamRow> = {},
): Promise<StreamRow> {
  const id = some.id ?? newStreamId();
  const committed = await store.commit(extend(streamRow(id, some), count, { expect: "new" }));
  if (!committed.ok) throw new Error(`not made: ${JSON.stringify(committed)}`);
  return loadStream(store, id);
}

export function positionsOf(committed: Committed): readonly number[] {
  if (!committed.ok) throw new Error(`refused: ${JSON.stringify(committed)}`);
  return committed.positions;
}
