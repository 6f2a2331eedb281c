import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { background, call, callJson, cli, jsonLines, makePlace, serve } from "./support.ts";

interface Frame {
  readonly type: string;
  readonly seq: number;
  readonly session_id: string;
}

const seqs = (frames: readonly Frame[]) => frames.map(({ seq }) => seq);

describe("beside a server", () => {
  test("run, tail and verify speak to it", async () => {
    const place = makePlace();
    const server = await serve(place);
    const tailing = background(place, ["tail", "all", "--after", "0", "--json"]);

    const ran = await cli(place, ["run", "hello"]);
    expect(ran).toMatchObject({ code: 0, stdout: "Answer to hello.\n" });
    const session = /ses_\w+/.exec(ran.stderr)?.[0] ?? "";
    expect(ran.stderr).toMatch(/tokens in, \d+ out · go on: .* run --session ses_/);

    const again = await cli(place, ["run", "--session", session, "-"], { stdin: "from stdin" });
    expect(again).toMatchObject({ code: 0, stdout: "Answer to from stdin.\n" });

    const [tail, sessions, verified] = await Promise.all([
      cli(place, ["tail", session, "--no-follow", "--json"]),
      callJson<{ rows: { session_id: string; head_seq: number }[] }>(place, ["sessions"]),
      callJson(place, ["verify", session]),
    ]);
    const frames = jsonLines<Frame>(tail.stdout);
    // Some events are none of this face: it shows the rest in order, up to the last.
    expect(seqs(frames)).toEqual([...new Set(seqs(frames))].toSorted((a, b) => a - b));
    const last = seqs(frames).at(-1) ?? 0;
    expect(sessions.rows).toMatchObject([{ session_id: session, head_seq: last }]);
    expect(verified).toMatchObject({ ok: true, streams: 1, events: last, broken: [] });

    // The one that followed all along has seen the same.
    await tailing.until(/"type":"turn_end"[^\n]*\n[^]*"type":"turn_end"[^\n]*\n/);
    tailing.child.kill("SIGINT");
    const followed = await tailing.ended;
    expect(followed).toMatchObject({ code: 0, stderr: "" });
    const seen = jsonLines<Frame>(followed.stdout).filter(({ session_id }) => session_id === session);
    expect(seen.length).toBeGreaterThan(8);
    expect(seen).toMatchObject(frames.slice(0, seen.length));
    expect(server.child.exitCode).toBeNull();
  });

  test("`tail all` begins now, and shows all that is there when it is told to stop at its end", async () => {
    const place = makePlace();
    await serve(place);
    await call(place, ["run", "before"]);
    const live = background(place, ["tail", "all"]);
    let seen = false;
    void live.until(/turn_start\s+after/).then(() => (seen = true));
    // It shows what comes once it has come itself, whenever that is.
    while (!seen) await call(place, ["run", "after"]);
    // The last event of all is one that no face shows.
    await call(place, ["token", "create", "--actor", "alice", "--role", "viewer"]);
    const all = await call(place, ["tail", "all", "--no-follow", "--json"]);
    expect(all).toMatchObject({ code: 0, stderr: "" });
    const frames = jsonLines<Frame & { cursor: number; payload: { input?: string } }>(all.stdout);
    expect(frames.flatMap(({ type, payload }) => (type === "turn_start" ? payload.input : []))).toEqual(
      expect.arrayContaining(["before", "after"]),
    );
    expect(frames.map(({ cursor }) => cursor)).toEqual(
      frames.map(({ cursor }) => cursor).toSorted((a, b) => a - b),
    );
    const middle = frames[3]?.cursor ?? 0;
    const rest = await call(place, ["tail", "all", "--no-follow", "--json", "--after", String(middle)]);
    expect(jsonLines(rest.stdout)).toEqual(frames.slice(4));
    live.child.kill("SIGINT");
    const { stdout, stderr } = await live.ended;
    expect(stdout).not.toMatch(/turn_start\s+before/);
    expect(stderr).toMatch(/tail all --after \d+/);
  });

  test("the credential is for its owner only, and ends with the server", async () => {
    const place = makePlace();
    const server = await serve(place);
    const [file = ""] = readdirSync(join(place.config, "servers"));
    const path = join(place.config, "servers", file);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    const { token, pid } = JSON.parse(readFileSync(path, "utf8")) as { token: string; pid: number };
    expect(pid).toBe(server.child.pid);
    expect(
      (await fetch(`${server.url}/tokens`, { headers: { authorization: `Bearer ${token}` } })).status,
    ).toBe(200);

    server.child.kill("SIGTERM");
    const { code, stdout } = await server.ended;
    expect({ code, last: jsonLines(stdout).at(-1) }).toEqual({ code: 0, last: { event: "stopped" } });
    expect(existsSync(path)).toBe(false);
    const { rows } = await callJson<{ rows: { purpose: string; revoked_at: string | null }[] }>(place, [
      "token",
      "list",
      "--all",
    ]);
    expect(rows).toMatchObject([{ purpose: "cli", revoked_at: expect.any(String) }]);
  });

  test("the printed link signs a browser in once, and `link` makes another", async () => {
    const place = makePlace();
    const server = await serve(place);
    const opened = await fetch(server.signIn, { redirect: "manual" });
    expect(opened.headers.get("set-cookie")).toMatch(/HttpOnly; SameSite=Strict/);
    expect((await fetch(server.signIn, { redirect: "manual" })).status).toBe(401);
    const { url } = await callJson<{ url: string }>(place, ["link"]);
    expect(url.startsWith(`${server.url}/auth/login?code=`)).toBe(true);
  });

  test("tokens are made, used and revoked", async () => {
    const place = makePlace();
    const { url } = await serve(place);
    const made = await cli(place, [
      "token",
      "create",
      "--actor",
      "alice",
      "--role",
      "viewer",
      "--expires",
      "30d",
      "--label",
      "laptop",
    ]);
    const secret = made.stdout.trim();
    expect(secret).toMatch(/^flt_\w+/);
    expect(made.stderr).not.toContain(secret);

    const { rows } = await callJson<{
      rows: { token_id: string; actor: string; role: string; label: string; expires_at: string }[];
    }>(place, ["token", "list"]);
    const mine = rows.find(({ actor }) => actor === "alice");
    expect(mine).toMatchObject({ role: "viewer", label: "laptop" });
    expect(Date.parse(mine?.expires_at ?? "") - Date.now()).toBeGreaterThan(29 * 86_400_000);

    const asAlice = ["--url", url, "--token", secret, "--json"];
    expect((await call(place, ["sessions", ...asAlice])).code).toBe(0);
    const refused = await call(place, ["run", "hello", ...asAlice]);
    expect(refused.code).toBe(1);
    expect(JSON.parse(refused.stderr)).toMatchObject({
      code: "forbidden",
      hint: expect.any(String),
      request_id: expect.stringMatching(/^req_/),
    });

    expect(await callJson(place, ["token", "revoke", mine?.token_id ?? ""])).toMatchObject({ revoked: true });
    expect(JSON.parse((await call(place, ["sessions", ...asAlice])).stderr)).toMatchObject({
      code: "unauthorized",
    });
  });
});

describe("a server does not start", () => {
  test("on data that another has open, and says which", async () => {
    const place = makePlace();
    const first = await serve(place);
    const second = await cli(place, ["serve", "--port", "0", "--json"]);
    expect(second.code).toBe(1);
    expect(JSON.parse(second.stderr)).toMatchObject({
      code: "store_locked",
      details: { pid: first.child.pid, url: first.url },
    });
  });

  test("on a port that is taken", async () => {
    const place = makePlace();
    const { url } = await serve(place);
    const { port } = new URL(url);
    const other = makePlace();
    const refused = await cli(other, ["serve", "--port", port]);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toMatch(
      new RegExp(`Port ${port} of 127.0.0.1 is taken by another Fairlead server.*port_in_use`),
    );
    // It let go of the data.
    expect((await call(other, ["run", "hello"])).code).toBe(0);
  });

  test("on data that other users can change, and warns of what they can read", async () => {
    const place = makePlace();
    mkdirSync(place.data);
    chmodSync(place.data, 0o777);
    const refused = await cli(place, ["serve", "--port", "0", "--json"]);
    expect(refused.code).toBe(1);
    expect(JSON.parse(refused.stderr)).toMatchObject({
      code: "config",
      message: expect.stringContaining("Other users can write to"),
      hint: `Close it: chmod 700 ${place.data}`,
    });
    chmodSync(place.data, 0o755);
    const warned = background(place, ["serve", "--port", "0"]);
    await warned.until(/Other users can look into .*\(mode 755\)\. Close it: chmod 700/);
    await warned.until(/answers at/);
  });

  test("where its keys would lie among what agents work in, and says what to do", async () => {
    const place = makePlace();
    const env = { XDG_CONFIG_HOME: join(place.cwd, ".config") };
    for (const args of [
      ["serve", "--port", "0"],
      ["run", "hello"],
    ]) {
      const { code, stderr } = await call(place, [...args, "--json"], env);
      expect(code).toBe(1);
      const { hint } = JSON.parse(stderr) as { hint: string };
      expect(hint).toContain(`cd ${join(place.cwd, "agents")}`);
      expect(hint).toContain(`--data ${place.data}`);
    }
    // As the hint says.
    const cwd = join(place.cwd, "agents");
    mkdirSync(cwd);
    expect(await call({ ...place, cwd }, ["run", "hello", "--data", place.data], env)).toMatchObject({
      code: 0,
    });
  });

  test("beyond loopback without a token", async () => {
    const place = makePlace();
    const refused = await cli(place, ["serve", "--host", "0.0.0.0", "--port", "0"]);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain("token create");
    const data = join(place.cwd, "else where");
    const there = await call(place, ["serve", "--host", "0.0.0.0", "--port", "0", "--data", data]);
    expect(there.stderr).toContain(`--actor NAME --data '${data}'`);
    await call(place, ["token", "create", "--actor", "alice", "--role", "operator"]);
    const { url } = await serve(place, ["--host", "0.0.0.0"]);
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:/);
  });
});

test("a name that means no address is told before all else", async () => {
  const { code, stderr } = await call(makePlace(), ["serve", "--host", "nosuch.invalid", "--json"]);
  expect({ code, ...(JSON.parse(stderr) as object) }).toMatchObject({
    code: "cannot_listen",
    message: expect.stringContaining("cannot be resolved"),
  });
});

test("a database that does not answer is waited for, and that is said", { timeout: 20_000 }, async () => {
  const store = "postgres://x:secret@127.0.0.1:1/db";
  const { code, stderr } = await call(makePlace(), ["serve", "--store", store]);
  expect(code).toBe(1);
  expect(stderr).toMatch(/^waiting for PostgreSQL at 127\.0\.0\.1:1\/db …\n.*nothing listens there/);
  expect(stderr).not.toContain("secret");
});

describe("a server that ends", () => {
  test("by kill -9 leaves a store that the next command opens, and a credential that nobody is sent", async () => {
    const place = makePlace();
    const server = await serve(place);
    const ran = await call(place, ["run", "before"]);
    const session = /ses_\w+/.exec(ran.stderr)?.[0] ?? "";
    server.child.kill("SIGKILL");
    await server.ended;
    expect(existsSync(join(place.data, "holder.json"))).toBe(true);

    const tail = await cli(place, ["tail", session]);
    expect(tail.code).toBe(0);
    expect(tail.stdout).toMatch(/turn_start\s+before\n/);
    expect(tail.stderr).toContain("nothing more will come");
    expect(await callJson(place, ["verify"])).toMatchObject({ ok: true });
    expect((await cli(place, ["run", "--session", session, "after"])).stdout).toBe("Answer to after.\n");

    const next = await serve(place);
    const { rows } = await callJson<{ rows: { label: string; revoked_at: string | null }[] }>(place, [
      "token",
      "list",
      "--all",
    ]);
    const alive = rows.filter(({ revoked_at }) => revoked_at === null).map(({ label }) => label);
    expect(alive).toEqual([expect.stringMatching(new RegExp(`:${next.child.pid}$`))]);
  });

  test("with its terminal stops gracefully", async () => {
    const place = makePlace();
    const server = await serve(place);
    server.child.stdout?.destroy();
    server.child.stderr?.destroy();
    server.child.kill("SIGHUP");
    expect(await server.ended).toMatchObject({ code: 0 });
    const { rows } = await callJson<{ rows: { revoked_at: string | null }[] }>(place, [
      "token",
      "list",
      "--all",
    ]);
    expect(rows).toMatchObject([{ revoked_at: expect.any(String) }]);
  });

  test("gracefully tells its streams to come back, and leaves its last turn to the next one", async () => {
    const place = makePlace();
    const server = await serve(place);
    const running = background(place, ["run", "please hang"]);
    await running.until(/Once upon/);
    server.child.kill("SIGINT");
    expect(await server.ended).toMatchObject({ code: 0 });
    // That the turn is parked is in the log. The client, which was told to come back, finds nobody.
    await running.until(/Trying again/);
    const next = background(place, ["serve", "--port", new URL(server.url).port, "--json"]);
    await next.until(/listening/);
    const parked = await running.ended;
    expect(parked).toMatchObject({ code: 3, stderr: expect.stringContaining("goes on by itself") });
    const session = /ses_\w+/.exec(parked.stderr)?.[0] ?? "";
    const tailing = background(place, ["tail", session, "--after", "0", "--json"]);
    await tailing.until(/"type":"turn_end"[^\n]*"status":"parked"[^]*"type":"token"[^\n]*"attempt":2/);
  });
});
