import { FairleadError, type StreamId } from "@fairlead/contract";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { extend, loadStream, makeStream } from "../../../test/support/changes.ts";
import { freshDatabase, runSql } from "../../../test/support/postgres.ts";
import { type PostgresServer, startPostgresServer } from "../../../test/support/postgres-server.ts";
import type { LogStore, StreamRow } from "../../ports/log-store.ts";
import { openPostgresStore } from "./open.ts";

let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgresServer();
});
afterAll(() => server?.stop());

/** A busy machine takes its time to recover, and that is not what is tested here. */
const PATIENT = { commitLimitMs: 60_000, readLimitMs: 60_000 };
const SLOW = 90_000;

/** The connections of this database that commit. */
const BACKENDS = `select pid from pg_stat_activity
  where query like '%commit_change%' and datname = current_database() and pid <> pg_backend_pid()`;

/** The first stream of a store with a short limit, which a busy machine may not keep to: not what is tested here either. */
const firstStream = (store: LogStore): Promise<StreamRow> =>
  vi.waitFor(() => makeStream(store, 1), PATIENT.commitLimitMs);

/** Whether something was written that nobody heard of is unknown; who looks again can go on. */
const goesOn = (store: LogStore, { id }: StreamRow): Promise<void> =>
  vi.waitFor(
    async () => expect((await store.commit(extend(await loadStream(store, id), 1))).ok).toBe(true),
    PATIENT.commitLimitMs,
  );

/** Appends until told to stop, and remembers what was acknowledged: event id by seq. */
async function appendUntil(
  store: LogStore,
  stopped: () => boolean,
): Promise<{ id: StreamId; acknowledged: Map<number, string> }> {
  let row: StreamRow = await makeStream(store, 1);
  const acknowledged = new Map<number, string>();
  while (!stopped()) {
    const change = extend(row, 3);
    const result = await store.commit(change);
    if (!result.ok) throw new Error(`${row.id} has one writer, and was refused: ${JSON.stringify(result)}`);
    for (const { seq, id } of change.events) acknowledged.set(seq, id);
    row = change.streams[0]?.row as StreamRow;
  }
  return { id: row.id, acknowledged };
}

/** Nothing lost, nothing doubled, no gap: with one writer a stream, the log is exactly what was acknowledged. */
async function expectExactly(
  store: LogStore,
  written: Awaited<ReturnType<typeof appendUntil>>[],
): Promise<number> {
  let total = 0;
  for (const { id, acknowledged } of written) {
    const found = await store.scanHashes(id, 1, 100_000);
    expect(found.map(({ seq, id }) => [seq, id])).toEqual([...acknowledged]);
    expect((await loadStream(store, id)).head_seq).toBe(acknowledged.size + 1);
    total += found.length;
  }
  const positions = (await store.scanAll(0, 1_000_000)).map(({ pos }) => pos);
  expect(new Set(positions).size).toBe(positions.length);
  return total;
}

describe("while commits are under way", { timeout: SLOW }, () => {
  test("connections cut again and again lose and double nothing", async () => {
    const url = await freshDatabase(server.url);
    const stores = await Promise.all([1, 2].map(() => openPostgresStore({ url, ...PATIENT })));
    let stopped = false;
    const writers = Promise.all(
      stores.flatMap((store) => [1, 2].map(() => appendUntil(store, () => stopped))),
    );
    writers.catch(() => {});
    let cuts = 0;
    for (let i = 0; i < 40; i++) {
      await sleep(Math.random() * 40);
      const cut = await runSql(url, `select pg_terminate_backend(pid) from (${BACKENDS}) as b`);
      cuts += cut.length;
    }
    stopped = true;
    const written = await writers;
    expect(cuts).toBeGreaterThan(20);
    expect(await expectExactly(stores[0] as LogStore, written)).toBeGreaterThan(50);
    await Promise.all(stores.map((store) => store.close()));
  });

  test("a server killed with -9 and started again loses and doubles nothing", async () => {
    const url = await freshDatabase(server.url);
    const stores = await Promise.all([1, 2].map(() => openPostgresStore({ url, ...PATIENT })));
    const told: unknown[] = [];
    stores[0]?.watch((streams) => void told.push(streams));
    let stopped = false;
    const writers = Promise.all(
      stores.flatMap((store) => [1, 2].map(() => appendUntil(store, () => stopped))),
    );
    writers.catch(() => {});
    for (let i = 0; i < 3; i++) {
      await sleep(200 + Math.random() * 200);
      await server.kill();
      await sleep(Math.random() * 200);
      await server.start();
    }
    await sleep(300);
    stopped = true;
    const written = await writers;
    expect(await expectExactly(stores[0] as LogStore, written)).toBeGreaterThan(50);
    // Once at first, and again after the server was away.
    const lookAtAll = () => told.filter((streams) => streams === null).length;
    await vi.waitFor(() => expect(lookAtAll()).toBeGreaterThanOrEqual(2), 10_000);
    await Promise.all(stores.map((store) => store.close()));
  });

  test("reads wait for a server that comes back; a commit that cannot be known is given up in time", async () => {
    const url = await freshDatabase(server.url);
    const store = await openPostgresStore({ url, ...PATIENT, commitLimitMs: 400 });
    const row = await firstStream(store);
    await server.kill();
    const began = performance.now();
    await expect(store.commit(extend(row, 1))).rejects.toMatchObject({ code: "store_unavailable" });
    await expect(store.ping()).rejects.toBeInstanceOf(FairleadError);
    expect(performance.now() - began).toBeLessThan(20_000);
    const warnings: Error[] = [];
    const onWarning = (warning: Error) => void warnings.push(warning);
    process.on("warning", onWarning);
    const reading = Promise.all(Array.from({ length: 50 }, () => store.scanAll(0, 10)));
    await server.start();
    expect((await reading).map((events) => events.length)).toEqual(Array.from({ length: 50 }, () => 1));
    process.off("warning", onWarning);
    expect(warnings).toEqual([]);
    await goesOn(store, row);
    await store.close();
  });

  test("a process that freezes at any moment holds up no other", async () => {
    const url = await freshDatabase(server.url);
    const store = await openPostgresStore({ url });
    let row = await makeStream(store, 1);
    const program = fileURLToPath(new URL("../../../test/support/append-forever.ts", import.meta.url));
    const child = spawn(process.execPath, [program, url], { stdio: ["ignore", "pipe", "inherit"] });
    try {
      await once(child.stdout, "data");
      child.stdout.resume();
      for (let i = 0; i < 25; i++) {
        await sleep(Math.random() * 20);
        child.kill("SIGSTOP");
        const began = performance.now();
        const change = extend(row, 1);
        expect((await store.commit(change)).ok).toBe(true);
        expect(performance.now() - began).toBeLessThan(8_000);
        row = change.streams[0]?.row as StreamRow;
        child.kill("SIGCONT");
      }
      expect(child.exitCode).toBeNull();
    } finally {
      child.kill("SIGKILL");
      await store.close();
    }
  });

  test("a server that takes a commit and does not answer is given up in time", async () => {
    const url = await freshDatabase(server.url);
    const store = await openPostgresStore({ url, commitLimitMs: 500 });
    const row = await firstStream(store);
    const backends = await runSql<{ pid: number }>(url, BACKENDS);
    for (const { pid } of backends) process.kill(pid, "SIGSTOP");
    const began = performance.now();
    await expect(store.commit(extend(row, 1))).rejects.toMatchObject({ code: "store_unavailable" });
    expect(performance.now() - began).toBeLessThan(8_000);
    for (const { pid } of backends) process.kill(pid, "SIGCONT");
    await goesOn(store, row);
    await store.close();
  });

  test("a writer that waits too long for the others is not written later", async () => {
    const url = await freshDatabase(server.url);
    const store = await openPostgresStore({ url, commitLimitMs: 500 });
    const row = await firstStream(store);
    const other = new pg.Client({ connectionString: url });
    await other.connect();
    await other.query("begin; set local search_path = fairlead; select lock_writers()");
    await expect(store.commit(extend(row, 1))).rejects.toMatchObject({ code: "store_unavailable" });
    await store.close();
    // The server gives up by itself, while the others still write. Whatever it was sent it has seen by then.
    await vi.waitFor(async () => expect(await runSql(url, BACKENDS)).toEqual([]), PATIENT.commitLimitMs);
    await other.query("commit");
    await other.end();
    const later = await openPostgresStore({ url });
    expect((await loadStream(later, row.id)).head_seq).toBe(1);
    await later.close();
  });
});
