import { afterAll, beforeAll, expect, test } from "vitest";
import {
  changeOf,
  eventRow,
  extend,
  loadStream,
  makeStream,
  newStreamId,
  positionsOf,
  streamRow,
} from "../../../test/support/changes.ts";
import { freshDatabase, runSql } from "../../../test/support/postgres.ts";
import type { LogStore, Retention, StreamRow } from "../../ports/log-store.ts";
import { openPostgresStore } from "./open.ts";

let url: string;
let store: LogStore;
beforeAll(async () => {
  url = await freshDatabase();
  store = await openPostgresStore({ url });
});
afterAll(() => store?.close());

async function fork(parent: StreamRow, seq: number): Promise<StreamRow> {
  const root = await loadStream(store, parent.root);
  const base = { root: root.id, parent: parent.id, base_seq: seq, head_seq: seq };
  const change = extend(streamRow(newStreamId(), base), 1, {
    expect: "new",
    families: [{ root: root.id, rev: root.rev }],
  });
  positionsOf(await store.commit(change));
  return loadStream(store, change.streams[0]?.row.id as StreamRow["id"]);
}

const seqs = async (row: StreamRow) => (await store.scanHashes(row.id, 0, 1_000)).map(({ seq }) => seq);

function trimTo(row: StreamRow, rev: number, floor_seq: number): Retention {
  const rows = [
    {
      id: row.id,
      floor_seq,
      floor_hash: Buffer.alloc(32, floor_seq),
      state: "open" as const,
      head_seq: row.head_seq,
    },
  ];
  return { root: row.root, rev, rows, drop: [{ stream: row.id, from: 1, to: floor_seq }] };
}

test("a fork counts up its family, and only who saw the latest count may", async () => {
  const root = await makeStream(store, 3);
  const branch = await fork(root, 2);
  const leaf = await fork(branch, 3);
  expect(branch).toMatchObject({ root: root.id, parent: root.id, base_seq: 2, head_seq: 3, rev: 0 });
  expect(await seqs(branch)).toEqual([3]);
  expect((await store.family(root.id)).map(({ id }) => id)).toEqual([root.id, branch.id, leaf.id]);
  expect((await loadStream(store, root.id)).rev).toBe(2);
  const late = extend(streamRow(newStreamId(), { root: root.id, parent: root.id }), 1, {
    expect: "new",
    families: [{ root: root.id, rev: 1 }],
  });
  expect(await store.commit(late)).toEqual({ ok: false, why: "stale", streams: [root.id] });
});

test("an append to a root and a fork of it fit in one commit", async () => {
  const root = await makeStream(store, 2);
  const branch = streamRow(newStreamId(), { root: root.id, parent: root.id, base_seq: 2, head_seq: 3 });
  const streams = [
    { row: branch, expect: "new" as const },
    { row: { ...root, head_seq: 3 }, expect: { head_seq: 2 } },
  ];
  positionsOf(
    await store.commit(
      changeOf({ streams, events: [eventRow(0, 3), eventRow(1, 3)], families: [{ root: root.id, rev: 0 }] }),
    ),
  );
  expect(await loadStream(store, root.id)).toMatchObject({ head_seq: 3, rev: 1 });
  expect(await seqs(root)).toEqual([1, 2, 3]);
  expect(await seqs(branch)).toEqual([3]);
});

test("lists streams by id, page by page", async () => {
  const all: string[] = [];
  for (
    let page = await store.listStreams("", 2);
    page.length > 0;
    page = await store.listStreams(page.at(-1)?.id ?? "", 2)
  )
    all.push(...page.map(({ id }) => id));
  expect(all.length).toBeGreaterThan(4);
  expect(all).toEqual(all.toSorted());
  expect(new Set(all).size).toBe(all.length);
});

test("a trim drops its range and moves the floor; a family that has moved on refuses it", async () => {
  const row = await makeStream(store, 5);
  expect(await store.retain(trimTo(row, 9, 3))).toBe(false);
  expect(await seqs(row)).toEqual([1, 2, 3, 4, 5]);
  expect(await store.retain(trimTo(row, 0, 3))).toBe(true);
  expect(await seqs(row)).toEqual([4, 5]);
  const after = await loadStream(store, row.id);
  expect(after).toMatchObject({ floor_seq: 3, head_seq: 5, rev: 1, state: "open" });
  expect(after.floor_hash).toEqual(Buffer.alloc(32, 3));
  expect((await store.commit(extend(after, 1))).ok).toBe(true);
});

test("a trim whose answer was lost is known as done when it is asked again", async () => {
  const row = await makeStream(store, 5);
  expect(await store.retain(trimTo(row, 0, 3))).toBe(true);
  expect(await store.retain(trimTo(row, 0, 3))).toBe(true);
  expect((await loadStream(store, row.id)).rev).toBe(1);
  expect(await store.retain(trimTo(row, 0, 4))).toBe(false);
  expect(await seqs(row)).toEqual([4, 5]);
});

test("a purge leaves a tombstone that takes no more events, and keeps what branches read", async () => {
  const root = await makeStream(store, 4);
  const branch = await fork(root, 2);
  const purge: Retention = {
    root: root.id,
    rev: 1,
    rows: [{ id: root.id, floor_seq: 0, floor_hash: root.floor_hash, state: "purged", head_seq: 4 }],
    drop: [{ stream: root.id, from: 3, to: 4 }],
  };
  const tooEarly = { ...purge, rows: purge.rows.map((row) => ({ ...row, head_seq: 3 })) };
  expect(await store.retain(tooEarly)).toBe(false);
  expect(await store.retain(purge)).toBe(true);
  expect(await seqs(root)).toEqual([1, 2]);
  expect(await seqs(branch)).toEqual([3]);
  expect(await store.commit(extend(root, 1))).toEqual({ ok: false, why: "stale", streams: [root.id] });
});

test("blobs go with the last event that refers to them, seals with theirs", async () => {
  const row = streamRow(newStreamId());
  const [shared, own] = ["aa".repeat(32), "bb".repeat(32)];
  const bytes = new Uint8Array([1, 2, 3]);
  const whole = [{ stream: row.id, after: 0, upTo: 9 }];
  const blobs = [
    { sha256: shared, bytes, stream: row.id, seq: 1 },
    { sha256: own, bytes, stream: row.id, seq: 1 },
    { sha256: shared, bytes, stream: row.id, seq: 3 },
  ];
  const seals = [1, 3].map((seq) => ({ stream: row.id, seq, box: new Uint8Array([seq]) }));
  positionsOf(await store.commit(extend(row, 3, { expect: "new", blobs, seals })));
  expect(await store.retain(trimTo(row, 0, 2))).toBe(true);
  expect(await store.blob(own, whole)).toBeUndefined();
  expect(await store.blob(shared, whole)).toEqual(Buffer.from(bytes));
  expect(await store.sealed(row.id, 1)).toBeUndefined();
  expect(await store.sealed(row.id, 3)).toEqual(Buffer.from([3]));
  expect(await store.retain(trimTo(row, 1, 3))).toBe(true);
  expect(await store.blob(shared, whole)).toBeUndefined();
  expect(await runSql(url, "select * from fairlead.blob_refs")).toEqual([]);
});

test("positions are never given twice, not even after the newest events are gone", async () => {
  const row = await makeStream(store, 3);
  const last = (await store.scanAll(0, 10_000)).at(-1)?.pos as number;
  expect(await store.retain(trimTo(row, 0, 3))).toBe(true);
  const [pos] = positionsOf(await store.commit(extend(await loadStream(store, row.id), 1)));
  expect(pos).toBeGreaterThan(last);
});
