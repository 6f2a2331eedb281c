import type pg from "pg";
import { describe, expect, test } from "vitest";
import { makeStream } from "../../../test/support/changes.ts";
import { freshDatabase, runSql } from "../../../test/support/postgres.ts";
import { makeClient, parseTarget, prepareSession } from "./database.ts";
import { openPostgresStore } from "./open.ts";

async function versions(url: string): Promise<number[]> {
  const rows = await runSql<{ version: number }>(
    url,
    "select version from fairlead.migrations order by version",
  );
  return rows.map(({ version }) => version);
}

describe("opening", () => {
  test("makes the schema once, however many processes come at the same time", async () => {
    const url = await freshDatabase();
    const stores = await Promise.all(Array.from({ length: 4 }, () => openPostgresStore({ url })));
    const again = await openPostgresStore({ url });
    expect(await versions(url)).toEqual([1]);
    await Promise.all(stores.map((store) => makeStream(store, 1)));
    expect(await again.scanAll(0, 10)).toHaveLength(4);
    await Promise.all([...stores, again].map((store) => store.close()));
  });

  test("two schemas of one database know nothing of each other", async () => {
    const url = await freshDatabase();
    const [one, two] = [await openPostgresStore({ url }), await openPostgresStore({ url, schema: "other" })];
    await makeStream(one, 3);
    expect(await two.scanAll(0, 10)).toEqual([]);
    await Promise.all([one.close(), two.close()]);
  });

  test("refuses a schema that a newer program made, and changes nothing in it", async () => {
    const url = await freshDatabase();
    await (await openPostgresStore({ url })).close();
    await runSql(url, "insert into fairlead.migrations (version, name, checksum) values (999, 'later', 'x')");
    await expect(openPostgresStore({ url })).rejects.toMatchObject({ code: "store_newer" });
    expect(await versions(url)).toEqual([1, 999]);
  });

  test("a migration that fails leaves nothing behind", async () => {
    const url = await freshDatabase();
    await runSql(url, "create schema fairlead; create table fairlead.seals (mine int)");
    await expect(openPostgresStore({ url })).rejects.toThrow(/seals/);
    const tables = await runSql(
      url,
      "select table_name from information_schema.tables where table_schema = 'fairlead'",
    );
    expect(tables).toEqual([{ table_name: "seals" }]);
  });

  test("works for a role that may not create schemas but owns the one it is given", async () => {
    const url = await freshDatabase();
    const role = `r_${new URL(url).pathname.slice(1)}`;
    await runSql(url, `create role ${role} login password 'pw'; create schema theirs authorization ${role}`);
    const theirs = Object.assign(new URL(url), { username: role, password: "pw" }).href;
    const store = await openPostgresStore({ url: theirs, schema: "theirs" });
    await makeStream(store, 1);
    await store.close();
    await expect(openPostgresStore({ url: theirs })).rejects.toMatchObject({
      code: "store_unavailable",
      message: expect.stringMatching(/allowed to create/),
    });
  });
});

describe("what goes wrong says so, and never tells the password", () => {
  const secret = "hunter2secret";

  async function failure(url: string, schema?: string): Promise<{ code: string; message: string }> {
    const error: unknown = await openPostgresStore({
      url,
      openLimitMs: 300,
      ...(schema === undefined ? {} : { schema }),
    }).then(
      () => undefined,
      (reason: unknown) => reason,
    );
    expect(String(error) + JSON.stringify(error) + String((error as Error).cause)).not.toContain(secret);
    return error as { code: string; message: string };
  }

  test("no server, no address, no such database, wrong password", async () => {
    const good = new URL(await freshDatabase());
    expect(await failure(`postgres://u:${secret}@127.0.0.1:1/db`)).toMatchObject({
      code: "store_unavailable",
      message: expect.stringContaining("127.0.0.1:1/db"),
    });
    expect(await failure(`mysql://u:${secret}@host/db`)).toMatchObject({ code: "bad_request" });
    expect(await failure(`postgres://u:${secret}@ho st/db`)).toMatchObject({ code: "bad_request" });
    expect(await failure(good.href, "Not A Schema")).toMatchObject({ code: "bad_request" });
    expect(await failure(Object.assign(new URL(good), { pathname: "/nothere" }).href)).toMatchObject({
      code: "store_unavailable",
      message: expect.stringContaining("nothere"),
    });
    expect(await failure(Object.assign(new URL(good), { password: secret }).href)).toMatchObject({
      code: "store_unavailable",
      message: expect.stringContaining("password"),
    });
  });

  test("a database in another encoding is refused", async () => {
    const url = new URL(await freshDatabase());
    await runSql(url.href, "create database latin encoding 'LATIN1' locale 'C' template template0");
    url.pathname = "/latin";
    expect(await failure(url.href)).toMatchObject({
      code: "store_unavailable",
      message: expect.stringContaining("UTF8"),
    });
  });

  test("the name shows host and database only", async () => {
    const url = await freshDatabase();
    const store = await openPostgresStore({ url });
    expect(store.name).toBe(`postgres (${new URL(url).host}${new URL(url).pathname})`);
    await store.ping();
    await store.close();
    await store.close();
    await expect(store.ping()).rejects.toMatchObject({ code: "shutting_down" });
    await expect(makeStream(store, 1)).rejects.toMatchObject({ code: "shutting_down" });
  });

  test("ping notices a database that takes no writes", async () => {
    const url = await freshDatabase();
    const store = await openPostgresStore({ url });
    await runSql(
      url,
      `alter database ${new URL(url).pathname.slice(1)} set default_transaction_read_only = on`,
    );
    await runSql(
      url,
      "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()",
    );
    await expect(store.ping()).rejects.toMatchObject({ code: "store_unavailable" });
    await store.close();
  });
});

test("a connection waits for the disk, even where the database would not", async () => {
  const url = await freshDatabase();
  const setTo = (value: string) =>
    runSql(url, `alter database ${new URL(url).pathname.slice(1)} set synchronous_commit = ${value}`);
  const seen = async () => {
    const client: pg.Client = makeClient(parseTarget(url, "fairlead"));
    await client.connect();
    await prepareSession(client);
    const { rows } = await client.query<{ synchronous_commit: string }>("show synchronous_commit");
    await client.end();
    return rows[0]?.synchronous_commit;
  };
  await setTo("off");
  expect(await seen()).toBe("on");
  await setTo("remote_apply");
  expect(await seen()).toBe("remote_apply");
});
