import type { StreamId } from "@fairlead/contract";
import pg from "pg";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import {
  changeOf,
  eventRow,
  extend,
  loadStream,
  makeStream,
  newStreamId,
  streamRow,
} from "../../../test/support/changes.ts";
import { freshDatabase, runSql } from "../../../test/support/postgres.ts";
import type { LogStore, StreamRow } from "../../ports/log-store.ts";
import { openPostgresStore } from "./open.ts";

let url: string;
let one: LogStore;
let two: LogStore;
beforeEach(async () => {
  url = await freshDatabase();
  // A poll so rare that only notices can be what is seen.
  one = await openPostgresStore({ url, pollMs: 60_000 });
  two = await openPostgresStore({ url, pollMs: 60_000 });
});
afterEach(() => Promise.all([one.close(), two.close()]));

type Told = readonly StreamId[] | null;

/** Watches, and waits until it listens, which it says by "look at all". */
async function watching(store: LogStore): Promise<{ told: Told[]; stop: () => void }> {
  const told: Told[] = [];
  const stop = store.watch((streams) => void told.push(streams));
  await vi.waitFor(() => expect(told).toEqual([null]), { timeout: 5_000, interval: 10 });
  told.length = 0;
  return { told, stop };
}

const soon = { timeout: 10_000, interval: 10 };

test("others are told which streams changed; the writer is not", async () => {
  const [mine, theirs] = [await watching(one), await watching(two)];
  const row = await makeStream(one, 1);
  await vi.waitFor(() => expect(theirs.told).toEqual([[row.id]]), soon);
  await makeStream(two, 1);
  await vi.waitFor(() => expect(mine.told).toHaveLength(1), soon);
  expect(mine.told).not.toContainEqual([row.id]);
});

test("who stops watching is not called again", async () => {
  const { told, stop } = await watching(two);
  const still = await watchingMore(two);
  stop();
  await makeStream(one, 1);
  await vi.waitFor(() => expect(still).toHaveLength(1), soon);
  expect(told).toEqual([]);
});

async function watchingMore(store: LogStore): Promise<Told[]> {
  const told: Told[] = [];
  store.watch((streams) => void told.push(streams));
  return told;
}

test("a commit to very many streams says: look at all", async () => {
  const { told } = await watching(two);
  const ids = Array.from({ length: 400 }, newStreamId);
  const streams = ids.map((id) => ({ row: streamRow(id, { head_seq: 1 }), expect: "new" as const }));
  expect((await one.commit(changeOf({ streams, events: ids.map((_, i) => eventRow(i, 1)) }))).ok).toBe(true);
  await vi.waitFor(() => expect(told).toEqual([null]), soon);
});

test("listens again after its connection was cut, and says: look at all", async () => {
  const row = await makeStream(one, 1);
  const { told } = await watching(two);
  const cut = await runSql(
    url,
    "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and query like '%await_writers%' and pid <> pg_backend_pid()",
  );
  expect(cut).toHaveLength(1);
  await vi.waitFor(() => expect(told).toEqual([null]), soon);
  await one.commit(extend(row, 1));
  await vi.waitFor(() => expect(told).toEqual([null, [row.id]]), soon);
});

test("looks for itself when notices do not arrive", async () => {
  const deaf = await openPostgresStore({ url, pollMs: 50 });
  const { told } = await watching(deaf);
  // What a proxy between us and the server may do: the connection lives and hears nothing.
  await runSql(
    url,
    "create or replace function fairlead.pg_notify(text, text) returns void language sql as 'select 1'",
  );
  await runSql(url, "alter function fairlead.commit_change set search_path = fairlead, pg_catalog, pg_temp");
  await makeStream(one, 1);
  await vi.waitFor(() => expect(told).toEqual([null]), soon);
  await deaf.close();
});

const listeners = () => runSql<{ writer: string }>(url, "select writer from fairlead.listeners");

/** What goes over the wire, for whoever listens without saying so. */
async function overhear(): Promise<{
  heard: string[];
  settle: () => Promise<void>;
  end: () => Promise<void>;
}> {
  const client = new pg.Client({ connectionString: url });
  const heard: string[] = [];
  client.on("notification", ({ payload }) => void heard.push(payload ?? ""));
  await client.connect();
  await client.query("listen fairlead_fairlead");
  return {
    heard,
    // Notices of commits that are done come before the answer.
    settle: async () => void (await client.query("select 1")),
    end: () => client.end(),
  };
}

test("a notice is sent only when another process listens", async () => {
  const wire = await overhear();
  const mine = await watching(one);
  await makeStream(two, 1);
  await vi.waitFor(() => expect(mine.told).toHaveLength(1), soon);
  await wire.settle();
  expect(wire.heard).toHaveLength(1);
  for (let i = 0; i < 5; i++) await makeStream(one, 1);
  await wire.settle();
  expect(wire.heard).toHaveLength(1);
  const theirs = await watching(two);
  await makeStream(one, 1);
  await vi.waitFor(() => expect(theirs.told).toHaveLength(1), soon);
  await wire.settle();
  expect(wire.heard).toHaveLength(2);
  await wire.end();
});

test("who closes is no longer among the listeners, and who died is forgotten", async () => {
  await Promise.all([watching(one), watching(two)]);
  expect(await listeners()).toHaveLength(2);
  await two.close();
  expect(await listeners()).toHaveLength(1);
  await runSql(url, "insert into fairlead.listeners values ('dead', now() - interval '2 hours')");
  const third = await openPostgresStore({ url });
  await watching(third);
  expect((await listeners()).map(({ writer }) => writer)).not.toContain("dead");
  expect(await listeners()).toHaveLength(2);
  await third.close();
});

test("who lost its place among the listeners misses nothing, also behind a commit that it is told of", async () => {
  const slow = await openPostgresStore({ url, pollMs: 2_000 });
  const { told } = await watching(slow);
  await runSql(url, "update fairlead.listeners set until = now() - interval '1 second'");
  await makeStream(one, 1);
  await runSql(url, "update fairlead.listeners set until = now() + interval '1 minute'");
  const row = await makeStream(one, 1);
  await vi.waitFor(() => expect(told).toEqual([[row.id], null]), soon);
  // And is told again.
  told.length = 0;
  await runSql(url, "delete from fairlead.listeners");
  await vi.waitFor(async () => expect(await listeners()).toHaveLength(1), soon);
  const later = await makeStream(one, 1);
  await vi.waitFor(() => expect(told).toEqual([[later.id]]), soon);
  await slow.close();
});

test("one's own commits are no reason to look at all", async () => {
  const busy = await openPostgresStore({ url, pollMs: 50 });
  const { told } = await watching(busy);
  const began = performance.now();
  let row = await makeStream(busy, 1);
  while (performance.now() - began < 600) {
    const change = extend(row, 2);
    expect((await busy.commit(change)).ok).toBe(true);
    row = change.streams[0]?.row as StreamRow;
  }
  expect(told).toEqual([]);
  await busy.close();
});

test("a commit that was under way when somebody began to listen is not missed", async () => {
  const row = await makeStream(one, 1);
  let current = row;
  for (let i = 0; i < 10; i++) {
    const late = await openPostgresStore({ url, pollMs: 60_000 });
    const seen: number[] = [];
    const stop = late.watch((streams) => {
      if (streams === null || streams.includes(row.id))
        void loadStream(two, row.id).then(({ head_seq }) => seen.push(head_seq));
    });
    // Until it listens, and a little longer.
    for (let more = 5; more > 0;) {
      const change = extend(current, 1);
      expect((await one.commit(change)).ok).toBe(true);
      current = change.streams[0]?.row as StreamRow;
      if (seen.length > 0) more -= 1;
    }
    await vi.waitFor(() => expect(Math.max(...seen)).toBe(current.head_seq), soon);
    stop();
    await late.close();
  }
});
