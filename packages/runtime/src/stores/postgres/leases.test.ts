import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { extend, loadStream, makeStream } from "../../../test/support/changes.ts";
import { freshDatabase } from "../../../test/support/postgres.ts";
import type { LogStore } from "../../ports/log-store.ts";
import { openPostgresStore } from "./open.ts";

let one: LogStore;
let two: LogStore;
beforeAll(async () => {
  const url = await freshDatabase();
  one = await openPostgresStore({ url });
  two = await openPostgresStore({ url });
});
afterAll(() => Promise.all([one?.close(), two?.close()]));
afterEach(() => void vi.useRealTimers());

test("one holder at a time; each acquisition has a higher epoch", async () => {
  const { id } = await makeStream(one, 1);
  const won = await Promise.all(
    Array.from({ length: 8 }, (_, i) => (i % 2 === 0 ? one : two).acquireLease(id, `holder ${i}`, 60_000)),
  );
  expect(won.filter((epoch) => epoch !== undefined)).toEqual([1]);
  const holder = `holder ${won.indexOf(1)}`;
  expect(await two.acquireLease(id, holder, 60_000)).toBe(2);
  expect(await one.renewLease(id, 1, 60_000)).toBe(false);
  expect(await one.renewLease(id, 2, 60_000)).toBe(true);
  await one.releaseLease(id, 1);
  expect(await one.acquireLease(id, "someone else", 60_000)).toBeUndefined();
  await one.releaseLease(id, 2);
  expect(await one.renewLease(id, 2, 60_000)).toBe(false);
  expect(await one.acquireLease(id, "someone else", 60_000)).toBe(3);
});

test("the database's clock counts, not this machine's", async () => {
  const { id } = await makeStream(one, 1);
  expect(await one.acquireLease(id, "a", 1_000)).toBe(1);
  vi.useFakeTimers({ now: Date.now() + 86_400_000, toFake: ["Date"] });
  expect(await two.acquireLease(id, "b", 1_000)).toBeUndefined();
  await sleep(1_100);
  vi.setSystemTime(0);
  expect(await two.acquireLease(id, "b", 60_000)).toBe(2);
});

test("a holder that was superseded cannot write", async () => {
  const row = await makeStream(one, 1);
  const old = (await one.acquireLease(row.id, "a", 1)) as number;
  await sleep(20);
  const now = (await two.acquireLease(row.id, "b", 60_000)) as number;
  expect(await one.commit(extend(row, 1, { epoch: old }))).toEqual({
    ok: false,
    why: "stale",
    streams: [row.id],
  });
  expect((await two.commit(extend(row, 1, { epoch: now }))).ok).toBe(true);
  expect(await loadStream(one, row.id)).toMatchObject({ epoch: now, head_seq: 2 });
});

test("an append does not disturb the lease, and an unknown stream has none", async () => {
  const row = await makeStream(one, 1);
  const epoch = (await one.acquireLease(row.id, "a", 60_000)) as number;
  await one.commit(extend(row, 1));
  expect(await one.renewLease(row.id, epoch, 60_000)).toBe(true);
  await expect(one.acquireLease("ses_none", "a", 1_000)).rejects.toMatchObject({ code: "session_not_found" });
});
