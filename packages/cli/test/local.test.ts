import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, test } from "vitest";
import { notWritable } from "../src/doctor/directory.ts";
import { tell } from "../src/failure.ts";
import { explained } from "../src/open-runtime.ts";
import { background, call, callJson, cli, jsonLines, makePlace } from "./support.ts";

interface Frame {
  readonly type: string;
  readonly seq: number;
  readonly id: string;
  readonly session_id: string;
  readonly payload: Record<string, unknown>;
}

describe("without a server", () => {
  test("a turn runs here, and its session can be read, listed and checked", async () => {
    const place = makePlace();
    const ran = await cli(place, ["run", "hello", "there", "--title", "First", "--json"]);
    expect(ran).toMatchObject({ code: 0, stderr: "" });
    const frames = jsonLines<Frame>(ran.stdout);
    const session = frames[0]?.session_id ?? "";
    expect(frames.map(({ type }) => type)).toEqual(
      expect.arrayContaining(["turn_start", "token", "response", "usage", "turn_end", "completed"]),
    );
    expect(frames.find(({ type }) => type === "response")?.payload).toMatchObject({
      text: "Answer to hello there.\n",
    });
    expect(statSync(place.data).mode & 0o777).toBe(0o700);

    const { rows } = await callJson<{ rows: object[] }>(place, ["sessions"]);
    expect(rows).toMatchObject([{ session_id: session, title: "First", status: "idle" }]);
    const tail = await cli(place, ["tail", session, "--json", "--after", "2"]);
    expect(jsonLines<Frame>(tail.stdout)[0]?.seq).toBe(3);
    // The session's, and the installation's, which says what rules were in force.
    expect(await callJson(place, ["verify"])).toMatchObject({ ok: true, streams: 2 });
    expect(await callJson(place, ["approvals"])).toEqual({ rows: [], cursor: null });
  });

  test("both faces and tiers can be chosen", async () => {
    const place = makePlace();
    await call(place, ["run", "hello"]);
    const [debug, plain, runtime] = await Promise.all([
      call(place, ["tail", "all", "--json"]),
      call(place, ["tail", "all", "--json", "--tier", "default"]),
      call(place, ["tail", "all", "--json", "--face", "runtime"]),
    ]);
    const types = (text: string) => new Set(jsonLines<Frame>(text).map(({ type }) => type));
    expect(types(debug.stdout)).toContain("usage");
    expect(types(plain.stdout)).not.toContain("usage");
    expect(types(plain.stdout)).toContain("token");
    expect(types(runtime.stdout)).toEqual(
      new Set(["runtime.request.started", "runtime.adapter.event", "runtime.request.completed"]),
    );
  });

  test("a turn that fails ends with 1 and says why", async () => {
    const place = makePlace();
    const failed = await call(place, ["run", "please fail"]);
    // Each try is shown as it comes.
    expect(failed).toMatchObject({ code: 1, stdout: "Half an ans\n".repeat(3) });
    expect(failed.stderr).toMatch(/error .*The provider broke.* \(turn_failed\)/);
  });

  test("Ctrl-C ends the turn, on record", async () => {
    const place = makePlace();
    const running = background(place, ["run", "please hang"]);
    await running.until(/Once upon a time/);
    running.child.kill("SIGINT");
    const { code, stderr } = await running.ended;
    expect(code).toBe(130);
    expect(stderr).toContain("Cancelled");
    expect(stderr).not.toContain("error");
    const tail = await call(place, ["tail", /ses_\w+/.exec(stderr)?.[0] ?? ""]);
    expect(tail.stdout).toMatch(/turn_end\s+cancelled/);
  });

  test("what needs a server or a store says so", async () => {
    const place = makePlace();
    const codes = await Promise.all(
      [["tail", "all"], ["verify"], ["sessions"], ["token", "list"]].map(async (args) => {
        const { code, stdout, stderr } = await call(place, [...args, "--json"]);
        return { code, stdout, told: (JSON.parse(stderr) as { code: string }).code };
      }),
    );
    expect(codes).toEqual(codes.map(() => ({ code: 1, stdout: "", told: "no_store" })));
    await call(place, ["token", "create", "--actor", "a", "--role", "admin"]);
    expect(JSON.parse((await call(place, ["link", "--json"])).stderr)).toMatchObject({ code: "no_server" });
    expect(JSON.parse((await call(place, ["tail", "ses_none", "--json"])).stderr)).toMatchObject({
      code: "session_not_found",
    });
    const nobody = await call(place, ["sessions", "--json", "--url", "http://127.0.0.1:1"]);
    expect(JSON.parse(nobody.stderr)).toMatchObject({ code: "server_unreachable", hint: expect.any(String) });
  });
});

/** Changes one byte of the file, inside a live copy of the event: SQLite leaves dead ones behind when it moves rows. */
function flipByte(file: string, event: string, text: string): void {
  const clean = readFileSync(file);
  for (let start = clean.indexOf(event); start !== -1; start = clean.indexOf(event, start + 1)) {
    const at = clean.indexOf(text, start);
    const bytes = Buffer.from(clean);
    bytes[at] = bytes[at]! ^ 1;
    writeFileSync(file, bytes);
    const db = new DatabaseSync(file, { readOnly: true });
    const found = db
      .prepare("SELECT count(*) AS n FROM events WHERE instr(body, ?) AND NOT instr(body, ?)")
      .get(event, text);
    db.close();
    if (found?.["n"] === 1) return;
  }
  throw new Error(`${event} is not in ${file}`);
}

describe("a place that cannot be used", () => {
  const refused = async (data: string) => {
    const { code, stderr } = await call(makePlace(), ["run", "hello", "--data", data, "--json"]);
    return { exit: code, ...(JSON.parse(stderr) as { code: string; message: string; hint: string }) };
  };

  test("because it is a file, or has another program's database, which is left as it is", async () => {
    const { cwd } = makePlace();
    writeFileSync(join(cwd, "file"), "");
    expect(await refused(join(cwd, "file"))).toMatchObject({ exit: 1, code: "data_unusable" });
    const foreign = join(cwd, "foreign");
    mkdirSync(foreign, { mode: 0o700 });
    const db = new DatabaseSync(join(foreign, "fairlead.db"));
    db.exec("CREATE TABLE theirs (a)");
    db.close();
    const before = readFileSync(join(foreign, "fairlead.db"));
    expect(await refused(foreign)).toMatchObject({
      exit: 1,
      code: "store_unavailable",
      message: expect.stringContaining("another program"),
    });
    expect(readFileSync(join(foreign, "fairlead.db"))).toEqual(before);
  });

  test("because nothing can be written there is to be copied, and no bug", () => {
    const place = { kind: "sqlite", data: "/backup", config: "/config" } as const;
    const sqlite = (errcode: number) => Object.assign(new Error("no"), { code: "ERR_SQLITE_ERROR", errcode });
    const system = Object.assign(new Error("no"), { code: "EROFS", syscall: "open" });
    // 264 is the directory of a database that cannot be written to, 14 a file that cannot be made.
    for (const error of [sqlite(8), sqlite(264), sqlite(14), system])
      expect(tell(explained(error, place)).hint).toContain("cp -r /backup COPY");
    expect(notWritable("data", "/backup", system).mend).toMatch(/read-only.*cp -r \/backup COPY/);
    expect(tell(explained(sqlite(26), place)).code).toBe("store_unreadable");
  });

  test.each(["/proc/fairlead", "/dev/null/fairlead"])("%s is refused with what to do", async (data) => {
    const { code, stderr } = await call(makePlace(), ["run", "hello", "--data", data, "--json"]);
    expect(code).toBe(1);
    expect(JSON.parse(stderr)).toMatchObject({
      code: "data_unusable",
      hint: expect.stringContaining("--data"),
    });
  });

  test("and so is a file that is no store", async () => {
    const place = makePlace();
    mkdirSync(place.data);
    writeFileSync(
      join(place.data, "fairlead.db"),
      "not a database, but long enough to be looked at as if it were",
    );
    const { stderr } = await call(place, ["sessions", "--json"]);
    expect(JSON.parse(stderr)).toMatchObject({
      code: "store_unreadable",
      hint: expect.stringContaining("doctor"),
    });
  });
});

describe("verify", () => {
  test("names the event after a single flipped byte", async () => {
    const place = makePlace();
    const ran = await call(place, ["run", "flip me", "--json"]);
    const target = jsonLines<Frame>(ran.stdout).find(({ type }) => type === "turn_start");
    flipByte(join(place.data, "fairlead.db"), `{"id":"${target?.id}"`, "flip me");

    const { code, stdout, stderr } = await cli(place, ["verify"]);
    expect(code).toBe(1);
    expect(stdout).toContain(`${target?.session_id}  event ${target?.seq} (${target?.id}): `);
    expect(stderr).toContain("chain_broken");
    const json = await call(place, ["verify", target?.session_id ?? "", "--json"]);
    expect(json.code).toBe(1);
    expect(JSON.parse(json.stdout)).toMatchObject({
      ok: false,
      broken: [{ stream: target?.session_id, seq: target?.seq, id: target?.id }],
    });
    expect(JSON.parse(json.stderr)).toMatchObject({ code: "chain_broken" });
  });
});
