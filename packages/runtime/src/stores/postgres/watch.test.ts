import type { StreamId } from "@fairlead/contract";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import {
  changeOf,
  eventRow,
  extend,
  makeStream,
  newStreamId,
  streamRow,
} from "../../../test/support/changes.ts";
import { freshDatabase, runSql } from "../../../test/support/postgres.ts";
import type { LogStore } from "../../ports/log-store.ts";
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

const soon = { timeout: 5_000, interval: 10 };

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
    "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and query like '%max(pos)%' and pid <> pg_backend_pid()",
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
