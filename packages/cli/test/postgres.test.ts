import { expect, test } from "vitest";
import { startPostgresServer } from "../../runtime/test/support/postgres-server.ts";
import { freshDatabase } from "../../runtime/test/support/postgres.ts";
import { call, callJson, cli, makePlace, serve } from "./support.ts";

test("commands find the servers of a database, and do without them", async () => {
  const place = makePlace();
  const store = ["--store", await freshDatabase()];
  const before = await call(place, ["doctor", "--port", "0", ...store]);
  expect(before).toMatchObject({ code: 0, stdout: expect.stringMatching(/ok {4}database .*PostgreSQL \d+/) });
  expect(before.stdout).toMatch(/schema +no store yet/);

  expect(await cli(place, ["run", "hello", ...store])).toMatchObject({
    code: 0,
    stdout: "Answer to hello.\n",
  });
  const first = await serve(place, store);
  const second = await serve(place, store);
  const { rows: links } = await callJson<{ rows: { purpose: string }[] }>(place, ["token", "list", ...store]);
  expect(links.map(({ purpose }) => purpose)).toEqual(["cli", "cli"]);
  expect(await call(place, ["run", "through a server", ...store])).toMatchObject({ code: 0 });

  for (const server of [first, second]) {
    server.child.kill("SIGTERM");
    expect((await server.ended).code).toBe(0);
  }
  const { rows } = await callJson<{ rows: object[] }>(place, ["sessions", ...store]);
  expect(rows).toMatchObject([{ title: "through a server" }, { title: "hello" }]);
  expect(await callJson(place, ["verify", ...store])).toMatchObject({ ok: true });
  expect((await call(place, ["doctor", "--port", "0", ...store])).stdout).toMatch(/schema +version \d+/);
});

test("a server whose database is away ends when it is told to, and says why it could not tidy up", async () => {
  const place = makePlace();
  const database = await startPostgresServer();
  const server = await serve(place, ["--store", database.url, "--drain", "1"]);
  await database.stop();
  server.child.kill("SIGTERM");
  expect(await server.ended).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("store_unavailable"),
  });
}, 120_000);
