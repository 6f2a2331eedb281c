import { chmodSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { call, cli, makePlace, serve } from "./support.ts";

interface Report {
  readonly ok: boolean;
  readonly checks: readonly {
    readonly name: string;
    readonly status: string;
    readonly detail: string;
    readonly mend?: string;
  }[];
}

async function doctor(
  place: ReturnType<typeof makePlace>,
  args: readonly string[] = [],
  env: Record<string, string> = {},
) {
  const { code, stdout } = await call(place, ["doctor", "--port", "0", "--json", ...args], env);
  const report = JSON.parse(stdout) as Report;
  return { code, report, find: (name: string) => report.checks.find((check) => check.name === name) };
}

test("a healthy machine gets a clean bill, before the first start and beside a server", async () => {
  const place = makePlace();
  const before = await doctor(place);
  expect(before).toMatchObject({ code: 0, report: { ok: true } });
  expect(before.report.checks.map(({ status }) => status)).toEqual(before.report.checks.map(() => "ok"));

  const { url, child } = await serve(place);
  const { port } = new URL(url);
  const beside = await doctor(place, ["--port", port]);
  expect(beside.code).toBe(0);
  expect(beside.find("lock")?.detail).toContain(`process ${child.pid}`);
  expect(beside.find("port")?.detail).toContain("served by this installation");
  expect(beside.find("schema")?.detail).toMatch(/^version \d+$/);

  const elsewhere = await doctor(makePlace(), ["--port", port]);
  expect(elsewhere).toMatchObject({ code: 1, report: { ok: false } });
  expect(elsewhere.find("port")).toMatchObject({
    status: "fail",
    detail: expect.stringContaining("a Fairlead server of other data"),
  });
});

test("permissions that are too wide are found, with the command that mends them", async () => {
  const place = makePlace();
  await call(place, ["run", "hello"]);
  chmodSync(join(place.config, "seal.key"), 0o644);
  chmodSync(place.data, 0o755);
  const servers = join(place.config, "servers");
  mkdirSync(servers, { mode: 0o700 });
  writeFileSync(join(servers, "127.0.0.1-1.json"), "{}", { mode: 0o644 });
  const { code, find } = await doctor(place);
  expect(code).toBe(1);
  expect(find("seal key")).toMatchObject({ status: "fail", mend: expect.stringContaining("chmod 600") });
  expect(find("credentials")).toMatchObject({ status: "fail", mend: expect.stringContaining("chmod 600") });
  expect(find("data")).toMatchObject({ status: "warn", mend: `Close it: chmod 700 ${place.data}` });
  chmodSync(place.data, 0o775);
  expect((await doctor(place)).find("data")).toMatchObject({
    status: "fail",
    detail: expect.stringContaining("mode 775"),
    mend: `Close it: chmod 700 ${place.data}`,
  });
  const text = await cli(place, ["doctor", "--port", "0"]);
  expect(text.stdout).toMatch(/^fail {2}seal key .*\n +Close it: chmod 600 /m);
});

test("a missing key, a broken store, keys among the data and a database that is not there are found", async () => {
  const place = makePlace();
  await call(place, ["run", "hello"]);
  rmSync(join(place.config, "seal.key"));
  expect((await doctor(place)).find("seal key")).toMatchObject({
    status: "warn",
    detail: expect.stringContaining("missing"),
  });
  writeFileSync(
    join(place.data, "fairlead.db"),
    "not a database, but long enough to be looked at as if it were one",
  );
  expect((await doctor(place)).find("schema")).toMatchObject({ status: "fail" });
  expect(
    (await doctor(place, [], { XDG_CONFIG_HOME: join(place.data, "keys") })).find("places"),
  ).toMatchObject({ status: "fail" });
  const away = await doctor(place, ["--store", "postgres://fairlead:secret@127.0.0.1:1/fairlead"]);
  expect(away.find("database")).toMatchObject({
    status: "fail",
    detail: expect.stringContaining("127.0.0.1:1"),
  });
  expect(JSON.stringify(away.report)).not.toContain("secret");
});
