import { FairleadError } from "@fairlead/contract";
import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
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
import { freshDatabase } from "../../../test/support/postgres.ts";
import type { LogStore, StreamRow } from "../../ports/log-store.ts";
import { openPostgresStore } from "./open.ts";

let store: LogStore;
beforeAll(async () => {
  store = await openPostgresStore({ url: await freshDatabase() });
});
afterAll(() => store?.close());

const everything = { after: 0, upTo: Infinity, descending: false, limit: 1_000 };

describe("commit", () => {
  test("writes streams, events, keys, rows, blobs and seals together", async () => {
    const [a, b] = [newStreamId(), newStreamId()];
    const events = [
      eventRow(1, 1, "first"),
      eventRow(0, 1, 'quotes " and \\ and \u2028 and {}'),
      eventRow(1, 2),
    ];
    const [one, two, three] = events.map((event) => event.hash) as [Buffer, Buffer, Buffer];
    const box = randomBytes(50);
    const positions = positionsOf(
      await store.commit(
        changeOf({
          streams: [
            {
              row: streamRow(a, {
                head_seq: 1,
                head_hash: two,
                project: "prj_1",
                broadcast: true,
                created_by: "tok_1",
              }),
              expect: "new",
            },
            { row: streamRow(b, { head_seq: 2, head_hash: three, owner: "system" }), expect: "new" },
          ],
          events,
          keys: [{ key: `k ${b} "x",{y}`, stream: b, seq: 1 }],
          rows: [
            { kind: "session", id: a, stream: a, state: "idle", at: 1_700_000_000_000, doc: '{"a":"b\\nc"}' },
          ],
          blobs: [{ sha256: "ab".repeat(32), bytes: new Uint8Array([0, 255, 7]), stream: a, seq: 1 }],
          seals: [{ stream: b, seq: 2, box }],
        }),
      ),
    );
    expect(positions).toEqual([positions[0], (positions[0] as number) + 1, (positions[0] as number) + 2]);
    expect(await store.scan(a, everything)).toEqual([{ seq: 1, body: events[1]?.body }]);
    expect(await store.scan(b, { ...everything, descending: true, limit: 1 })).toEqual([
      { seq: 2, body: events[2]?.body },
    ]);
    expect(await store.scanHashes(b, 0, 10)).toEqual(
      [events[0], events[2]].map((event) =>
        expect.objectContaining({
          seq: event?.seq,
          id: event?.id,
          type: event?.type,
          body: event?.body,
          hash: event?.hash,
        }),
      ),
    );
    expect(await loadStream(store, a)).toEqual(
      streamRow(a, { head_seq: 1, head_hash: two, project: "prj_1", broadcast: true, created_by: "tok_1" }),
    );
    expect((await loadStream(store, b)).head_hash).toEqual(three);
    expect(one).toHaveLength(32);
    expect(await store.loadKeys([`k ${b} "x",{y}`, "unknown"])).toEqual([
      { key: `k ${b} "x",{y}`, stream: b, seq: 1 },
    ]);
    expect(await store.loadRow("session", a)).toBe('{"a":"b\\nc"}');
    expect(await store.loadRow("session", b)).toBeUndefined();
    expect(
      await store.blob("ab".repeat(32), [
        { stream: a, after: 0, upTo: 9 },
        { stream: b, after: 0, upTo: 9 },
      ]),
    ).toEqual(Buffer.from([0, 255, 7]));
    expect(await store.sealed(b, 2)).toEqual(box);
    expect(await store.sealed(b, 1)).toBeUndefined();
    expect(await store.findEvent(events[2]?.id as string)).toEqual({
      stream: b,
      seq: 2,
      body: events[2]?.body,
    });
    expect(await store.findEvent("evt_none")).toBeUndefined();
  });

  test("scans by type, after a cursor and up to a bound", async () => {
    const id = newStreamId();
    const events = Array.from({ length: 6 }, (_, i) => ({
      ...eventRow(0, i + 1),
      type: i % 2 === 0 ? "a.b" : "c.d",
    }));
    await store.commit(
      changeOf({ streams: [{ row: streamRow(id, { head_seq: 6 }), expect: "new" }], events }),
    );
    const seqs = async (some: object) =>
      (await store.scan(id, { ...everything, ...some })).map(({ seq }) => seq);
    expect(await seqs({ types: ["a.b"] })).toEqual([1, 3, 5]);
    expect(await seqs({ types: ["a.b"], descending: true, limit: 2 })).toEqual([5, 3]);
    expect(await seqs({ after: 2, upTo: 5, limit: 2 })).toEqual([3, 4]);
    expect(await seqs({ types: [] })).toEqual([]);
  });

  test("a stale head, epoch, stream or family refuses the whole change", async () => {
    const [row, other] = [await makeStream(store, 2), await makeStream(store, 1)];
    const epoch = await store.acquireLease(row.id, "me", 60_000);
    const attempts = [
      extend({ ...row, head_seq: 1 }, 1),
      extend(row, 1, { epoch: (epoch as number) - 1 }),
      extend(row, 1, { families: [{ root: row.id, rev: 7 }] }),
      extend(streamRow(row.id), 1, { expect: "new" }),
    ];
    for (const change of attempts) {
      const neighbour = { row: { ...other, head_seq: 2 }, expect: { head_seq: 1 } };
      const result = await store.commit({
        ...change,
        streams: [...change.streams, neighbour],
        events: [...change.events, eventRow(1, 2)],
      });
      expect(result).toEqual({ ok: false, why: "stale", streams: [row.id] });
    }
    const missing = newStreamId();
    expect(await store.commit(extend(streamRow(missing), 1))).toEqual({
      ok: false,
      why: "stale",
      streams: [missing],
    });
    expect((await loadStream(store, row.id)).head_seq).toBe(2);
    expect((await loadStream(store, other.id)).head_seq).toBe(1);
    expect(await store.scan(other.id, everything)).toHaveLength(1);
    expect((await store.commit(extend(row, 1, { epoch: epoch as number }))).ok).toBe(true);
  });

  test("a taken key refuses the whole change and names its holder", async () => {
    const row = await makeStream(store, 1);
    const key = `key ${row.id}`;
    const claim = (seq: number) => ({ keys: [{ key, stream: row.id, seq }] });
    positionsOf(await store.commit(extend(row, 1, claim(2))));
    const now = await loadStream(store, row.id);
    expect(await store.commit(extend(now, 1, claim(3)))).toEqual({
      ok: false,
      why: "taken",
      keys: [{ key, stream: row.id, seq: 2 }],
    });
    expect((await loadStream(store, row.id)).head_seq).toBe(2);
  });

  test("a change sent again is written once and has the same positions", async () => {
    const row = await makeStream(store, 1);
    const change = extend(row, 5, { keys: [{ key: `again ${row.id}`, stream: row.id, seq: 2 }] });
    const first = positionsOf(await store.commit(change));
    positionsOf(await store.commit(extend(await makeStream(store, 1), 1)));
    positionsOf(await store.commit(extend(await loadStream(store, row.id), 1)));
    expect(positionsOf(await store.commit(change))).toEqual(first);
    expect(await store.scan(row.id, everything)).toHaveLength(7);
  });

  test("an event id that another event has is refused, not taken for a repetition", async () => {
    const row = await makeStream(store, 1);
    const change = extend(row, 1);
    positionsOf(await store.commit(change));
    const next = extend(await loadStream(store, row.id), 1);
    const twice = {
      ...next,
      events: next.events.map((event) => ({ ...event, id: change.events[0]?.id as string })),
    };
    await expect(store.commit(twice)).rejects.toMatchObject({ code: "event_invalid" });
    expect((await loadStream(store, row.id)).head_seq).toBe(2);
  });

  test("what the server cannot take is refused at once, and the connection goes on", async () => {
    const row = await makeStream(store, 1);
    const change = extend(row, 1, { keys: [{ key: "nul \0", stream: row.id, seq: 2 }] });
    const began = performance.now();
    const error = await store.commit(change).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(Error);
    expect(error).not.toBeInstanceOf(FairleadError);
    const broken = extend(row, 1);
    const newline = { ...broken, events: broken.events.map((event) => ({ ...event, body: "{\n}" })) };
    await expect(store.commit(newline)).rejects.toThrow(/null value/);
    expect(performance.now() - began).toBeLessThan(2_000);
    expect((await store.commit(extend(row, 1))).ok).toBe(true);
  });

  test("one commit to many streams has one order", async () => {
    const rows = await Promise.all(Array.from({ length: 70 }, () => makeStream(store, 1)));
    const events = rows
      .flatMap((_, i) => [eventRow(i, 2), eventRow(69 - i, 3)])
      .toSorted((a, b) => a.seq - b.seq);
    const before = (await store.scanAll(0, 100_000)).at(-1)?.pos as number;
    const positions = positionsOf(
      await store.commit(
        changeOf({
          streams: rows.map((row) => ({ row: { ...row, head_seq: 3 }, expect: { head_seq: 1 } })),
          events,
        }),
      ),
    );
    const found = await store.scanAll(before, 1_000);
    expect(found.map(({ pos }) => pos)).toEqual(positions);
    expect(found.map(({ stream, seq, body }) => ({ stream, seq, body }))).toEqual(
      events.map(({ stream, seq, body }) => ({ stream: rows[stream]?.id, seq, body })),
    );
  });
});

describe("a change planned on one that was under way", () => {
  test("is written when that was", async () => {
    const row = await makeStream(store, 1);
    const first = extend(row, 2);
    positionsOf(await store.commit(first));
    const after = first.streams[0]?.row as StreamRow;
    const onto = { event: first.events.at(-1)?.id as string, heads: new Map([[row.id, after.head_hash]]) };
    const made = streamRow(newStreamId());
    const second = extend(after, 1, { onto });
    const both = changeOf({
      ...second,
      streams: [...second.streams, { row: { ...made, head_seq: 1 }, expect: "new" }],
      events: [...second.events, eventRow(1, 1)],
    });
    expect((await store.commit(both)).ok).toBe(true);
    expect((await loadStream(store, made.id)).head_seq).toBe(1);
  });

  test("is sent back when that is not there, or another event is at the head", async () => {
    const [row, other] = [await makeStream(store, 1), await makeStream(store, 1)];
    const heads = new Map([[row.id, row.head_hash]]);
    const lost = extend(row, 1, { onto: { event: "evt_nowhere", heads } });
    expect(await store.commit(lost)).toEqual({ ok: false, why: "stale", streams: [row.id] });
    const [there] = await store.scanHashes(row.id, 0, 1);
    const event = there?.id as string;
    const wrong = extend(row, 1, { onto: { event, heads: new Map([[row.id, other.head_hash]]) } });
    expect(await store.commit(wrong)).toEqual({ ok: false, why: "stale", streams: [row.id] });
    expect((await loadStream(store, row.id)).head_seq).toBe(1);
    expect((await store.commit(extend(row, 1, { onto: { event, heads } }))).ok).toBe(true);
  });
});
