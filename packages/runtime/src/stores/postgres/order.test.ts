import pg from "pg";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, expect, test } from "vitest";
import { extend, loadStream, makeStream, positionsOf } from "../../../test/support/changes.ts";
import { freshDatabase, startPostgres } from "../../../test/support/postgres.ts";
import type { LogStore } from "../../ports/log-store.ts";
import { openPostgresStore } from "./open.ts";

let url: string;
let store: LogStore;
let others: pg.Client[];
beforeEach(async () => {
  url = await freshDatabase();
  store = await openPostgresStore({ url });
  others = [];
});
afterEach(async () => {
  await Promise.all(others.map((client) => client.end()));
  await store.close();
});

async function connect(to: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: to });
  others.push(client);
  await client.connect();
  return client;
}

test("a reader of all streams never skips a transaction that commits later", async () => {
  const [slow, quick] = [await makeStream(store, 1), await makeStream(store, 1)];
  const second = await openPostgresStore({ url });
  const start = (await store.scanAll(0, 10)).at(-1)?.pos as number;

  // The very call that a commit makes, held open: it has its positions and is not visible yet.
  const client = await connect(url);
  await client.query("begin");
  const held = await client.query(
    `select * from fairlead.commit_change('slow x', 1000, array['${slow.id}'], '{1}', '{NULL}', '{2}', $1, null, null, null,
      '{1}', '{2}', 'evt_slow', 'a.b', '{}', $1, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null)`,
    [Buffer.alloc(32, 1)],
  );
  expect(held.rows[0].outcome).toBe("ok");
  const slowPos = Number(held.rows[0].first_pos);

  let quickDone = false;
  const commit = second.commit(extend(quick, 1)).then((result) => {
    quickDone = true;
    return positionsOf(result);
  });
  await sleep(300);
  // The later writer waits; were it visible now, a reader would go past the slower one for good.
  expect(quickDone).toBe(false);
  expect(await store.scanAll(start, 10)).toEqual([]);
  await client.query("commit");
  const [quickPos] = await commit;
  expect(quickPos).toBeGreaterThan(slowPos);
  expect((await store.scanAll(start, 10)).map(({ pos }) => pos)).toEqual([slowPos, quickPos]);
  await second.close();
});

test("many writers, one reader that never goes back: it sees everything once, in order", async () => {
  const stores = await Promise.all(Array.from({ length: 4 }, () => openPostgresStore({ url, readers: 1 })));
  const wanted = 4 * 40 * 3;
  const seen: { pos: number; key: string }[] = [];
  const reader = (async () => {
    while (seen.length < wanted) {
      const page = await store.scanAll(seen.at(-1)?.pos ?? 0, 7);
      seen.push(...page.map(({ pos, stream, seq }) => ({ pos, key: `${stream}/${seq}` })));
    }
  })();
  await Promise.all(
    stores.map(async (writer) => {
      let row = await makeStream(writer, 3);
      for (let i = 1; i < 40; i++) {
        positionsOf(await writer.commit(extend(row, 3)));
        row = { ...row, head_seq: row.head_seq + 3 };
      }
    }),
  );
  await reader;
  expect(new Set(seen.map(({ key }) => key)).size).toBe(wanted);
  expect(seen.map(({ pos }) => pos)).toEqual(seen.map(({ pos }) => pos).toSorted((a, b) => a - b));
  expect(await store.scanAll(seen.at(-1)?.pos as number, 10)).toEqual([]);
  await Promise.all(stores.map((writer) => writer.close()));
});

test("an idle transaction delays nobody, neither in another database nor in this one", async () => {
  const row = await makeStream(store, 1);
  for (const [where, table] of [
    [await freshDatabase(), "elsewhere"],
    [await startPostgres(), "server"],
    [url, "here"],
  ] as const) {
    const idle = await connect(where);
    await idle.query(`begin; create table idle_${table} (x int); insert into idle_${table} values (1)`);
    expect(
      (await idle.query("select pg_current_xact_id_if_assigned() is not null as assigned")).rows,
    ).toEqual([{ assigned: true }]);
  }
  const [pos] = positionsOf(await store.commit(extend(await loadStream(store, row.id), 1)));
  expect((await store.scanAll(0, 10)).map((event) => event.pos)).toContain(pos);
});
