import { closeSync, openSync, readFileSync, readdirSync, statSync, writeSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, it } from "vitest";
import { createSealer } from "../src/log/seal.ts";
import { createEventLog } from "../src/log/event-log.ts";
import {
  create,
  events,
  handClock,
  newEventId,
  one,
  openLog,
  readWhole,
  seqs,
  token,
  tokenCount,
} from "../src/ports/event-log.contract/support.ts";
import type { StreamRow } from "../src/ports/log-store.ts";
import { openSqliteStore } from "../src/stores/sqlite/open.ts";
import { temporaryFolders } from "./stores.ts";

describe("the SQLite store", () => {
  const newFolder = temporaryFolders();
  const clock = handClock();
  const open = (dir: string) => openLog(openSqliteStore({ dir, clock }), clock, [tokenCount]);

  it("finds everything again after a close", async () => {
    const dir = newFolder();
    let log = open(dir);
    const id = await create(log, 20);
    const lease = await log.acquireLease(id, "one", 1_000);
    const before = await readWhole(log, id);
    await log.close();
    await expect(log.append(one({ stream: id, events: [token("closed")] }))).rejects.toMatchObject({
      code: "shutting_down",
    });
    log = open(dir);
    expect(await readWhole(log, id)).toEqual(before);
    expect(await log.row("token_count", id)).toMatchObject({ count: 19 });
    // Whoever held it is gone with its process; the epoch goes on.
    expect((await log.acquireLease(id, "two", 1_000))?.epoch).toBe((lease?.epoch ?? 0) + 1);
    expect(await log.acquireLease(id, "three", 1_000)).toBeUndefined();
    clock.advance(1_001);
    expect((await log.acquireLease(id, "three", 1_000))?.epoch).toBe((lease?.epoch ?? 0) + 2);
    expect(seqs(events(await log.append(one({ stream: id, events: [token("on")] }))))).toEqual([21]);
    expect(await log.verify()).toMatchObject({ events: 21, broken: [] });
    await log.close();
  });

  it("says the epoch of a lease also before it is stored, and after what was to store it was taken back", async () => {
    const dir = newFolder();
    const store = openSqliteStore({ dir, clock });
    const log = openLog(store, clock, [tokenCount]);
    const id = await create(log);
    const epochOf = async () => (await store.loadStreams([id]))[0]?.epoch;
    expect(await store.acquireLease(id, "one", 1_000)).toBe(1);
    expect(await epochOf()).toBe(1);
    const [row] = await store.loadStreams([id]);
    const stale = { row: row as StreamRow, expect: { head_seq: 99, epoch: 1 } };
    const nothing = { events: [], keys: [], rows: [], blobs: [], seals: [], families: [] };
    expect(await store.commit({ ...nothing, streams: [stale] })).toMatchObject({ ok: false });
    expect(await epochOf()).toBe(1);
    events(await log.append(one({ stream: id, events: [token("on")], guard: { epoch: 1 } })));
    expect(await epochOf()).toBe(1);
    await log.close();
  });

  it("keeps its files to their owner, whatever the umask", async () => {
    const dir = join(newFolder(), "deep", "data");
    const before = process.umask(0);
    const log = open(dir);
    await create(log);
    process.umask(before);
    for (const [name, mode] of [
      ["", 0o700],
      ["fairlead.db", 0o600],
      ["fairlead.db-wal", 0o600],
      ["holder.json", 0o600],
    ] as const) {
      expect([name, statSync(join(dir, name)).mode & 0o777]).toEqual([name, mode]);
    }
    await log.close();
  });

  it("says so, once and for all who wait, when a foreign writer holds the file", async () => {
    const dir = newFolder();
    const log = open(dir);
    const id = await create(log);
    const other = new DatabaseSync(join(dir, "fairlead.db"));
    other.exec("BEGIN IMMEDIATE");
    const answers = await Promise.allSettled(
      Array.from({ length: 5 }, () => log.append(one({ stream: id, events: [token("x")] }))),
    );
    for (const answer of answers)
      expect(answer).toMatchObject({ status: "rejected", reason: { code: "store_unavailable" } });
    await expect(log.ping()).rejects.toMatchObject({ code: "store_unavailable" });
    other.exec("ROLLBACK");
    other.close();
    expect(seqs(events(await log.append(one({ stream: id, events: [token("again")] }))))).toEqual([2]);
    await log.ping();
    await log.close();
  });

  it("leaves nothing of a purged stream in its files", async () => {
    const dir = newFolder();
    const log = open(dir);
    const id = await create(log);
    const mark = "what-nobody-may-read-again";
    events(
      await log.append(
        one({ stream: id, events: [token(mark), token(`${mark} ${"long ".repeat(10_000)}`)] }),
      ),
    );
    await log.purge(id);
    for (const file of readdirSync(dir))
      expect([file, readFileSync(join(dir, file)).includes(mark)]).toEqual([file, false]);
    await log.close();
  });

  it("notices that a blob was replaced, and does not serve it", async () => {
    const dir = newFolder();
    const log = open(dir);
    const id = await create(log);
    const [large] = events(await log.append(one({ stream: id, events: [token("x".repeat(100_000))] })));
    const sha256 = large?.blobs?.["/text"]?.sha256 ?? "";
    await log.close();
    const db = new DatabaseSync(join(dir, "fairlead.db"));
    db.exec("UPDATE blobs SET bytes = CAST('EVIL' AS BLOB)");
    db.close();
    const reopened = open(dir);
    expect((await reopened.verify()).broken).toEqual([
      expect.objectContaining({
        stream: id,
        seq: 2,
        reason: expect.stringContaining("blob of /text") as string,
      }),
    ]);
    await expect(reopened.blob(id, sha256)).rejects.toMatchObject({ code: "chain_broken" });
    await reopened.close();
  });

  it("refuses a second process and names the first", async () => {
    const dir = newFolder();
    const store = openSqliteStore({ dir, clock });
    store.announce("http://127.0.0.1:4680");
    expect(() => openSqliteStore({ dir, clock })).toThrow(
      expect.objectContaining({
        code: "store_locked",
        message: expect.stringContaining(`process ${process.pid}`) as string,
      }),
    );
    expect(() => openSqliteStore({ dir, clock })).toThrow(/http:\/\/127\.0\.0\.1:4680/);
    await store.close();
    await openSqliteStore({ dir, clock }).close();
  });

  it("refuses a schema newer than the program, and lets go of the directory", async () => {
    const dir = newFolder();
    await open(dir).close();
    const db = new DatabaseSync(join(dir, "fairlead.db"));
    db.exec("INSERT INTO migrations (version, name, checksum, at) VALUES (999, 'from-the-future', 'x', 0)");
    expect(() => open(dir)).toThrow(expect.objectContaining({ code: "store_newer" }));
    db.exec("DELETE FROM migrations WHERE version = 999");
    db.close();
    await open(dir).close();
  });

  it("names the first bad event after a single flipped byte in the file", async () => {
    const dir = newFolder();
    const log = open(dir);
    const mark = "a-mark-to-find-in-the-file";
    const id = await create(log, 30);
    const [bad] = events(await log.append(one({ stream: id, events: [token(mark), token("after")] })));
    await create(log, 10);
    await log.close();
    flipByteAt(join(dir, "fairlead.db"), mark);
    const reopened = open(dir);
    expect((await reopened.verify()).broken).toEqual([
      { stream: id, seq: 31, id: bad?.id, reason: expect.stringContaining("hash chain") as string },
    ]);
    await reopened.close();
  });

  const tampering: [string, string, RegExp][] = [
    ["a body", "UPDATE events SET body = replace(body, 't5', 't6') WHERE seq = 5", /hash chain/],
    ["a hash", "UPDATE events SET hash = zeroblob(32) WHERE seq = 5", /hash chain/],
    ["an id", "UPDATE events SET id = 'evt_forged' WHERE seq = 5", /id does not fit/],
    ["a type", "UPDATE events SET type = 'agent.usage' WHERE seq = 5", /type does not fit/],
    ["a deleted event", "DELETE FROM events WHERE seq = 5", /missing/],
  ];
  it.each(tampering)("notices %s changed in the database", async (_, sql, reason) => {
    const dir = newFolder();
    const log = open(dir);
    const id = await create(log, 10);
    await log.close();
    const db = new DatabaseSync(join(dir, "fairlead.db"));
    db.exec(sql);
    db.close();
    const reopened = open(dir);
    expect((await reopened.verify()).broken).toEqual([
      expect.objectContaining({ stream: id, seq: 5, reason: expect.stringMatching(reason) as string }),
    ]);
    await reopened.close();
  });

  it("notices that the newest events were cut off", async () => {
    const dir = newFolder();
    const log = open(dir);
    const id = await create(log, 10);
    await log.close();
    const db = new DatabaseSync(join(dir, "fairlead.db"));
    db.exec("DELETE FROM events WHERE seq > 8");
    db.close();
    const reopened = open(dir);
    expect((await reopened.verify()).broken).toEqual([
      { stream: id, seq: 9, id: null, reason: "this event is missing" },
    ]);
    await reopened.close();
  });

  it("carries events of a newer writer, raw", async () => {
    const dir = newFolder();
    const store = openSqliteStore({ dir, clock });
    const log = openLog(store, clock);
    const id = await create(log);
    await log.close();
    const db = new DatabaseSync(join(dir, "fairlead.db"));
    const body = `{"id":"${newEventId()}","at":"2030-01-01T00:00:00.000Z","type":"runtime.future.thing","v":3,"turn_id":null,"agent_id":null,"cause":null,"owner":"runtime","data":{"new":true}}`;
    db.prepare(
      "INSERT INTO events (stream, seq, id, type, body, hash) VALUES (1, 2, 'evt_future', 'runtime.future.thing', ?, zeroblob(32))",
    ).run(body);
    db.exec("UPDATE streams SET head_seq = 2");
    db.close();
    const reopened = open(dir);
    expect((await reopened.read(id, { after: 1 })).events[0]).toMatchObject({
      type: "runtime.future.thing",
      v: 3,
      data: { new: true },
    });
    expect(seqs((await reopened.read(id, { tier: "debug" })).events)).toEqual([1, 2]);
    expect(seqs((await reopened.read(id, { tier: "default" })).events)).toEqual([1]);
    await reopened.close();
  });

  it("never writes a secret to disk in the clear, and opens a seal only with its key", async () => {
    const dir = newFolder();
    const log = open(dir);
    const id = await create(log);
    const secret = `sk-test-${"Zq9".repeat(10)}`;
    events(
      await log.append(
        one({
          stream: id,
          events: [
            {
              type: "agent.tool.start",
              data: { name: "x", arguments: { key: secret }, tool_call_id: "c" },
              seal: true,
            },
          ],
        }),
      ),
    );
    expect(await log.unseal(id, 2)).toMatchObject({ arguments: { key: secret } });
    await log.close();
    for (const file of ["fairlead.db"]) expect(readFileSync(join(dir, file)).includes(secret)).toBe(false);
    const other = createEventLog({
      store: openSqliteStore({ dir, clock }),
      clock,
      ids: { next: () => newEventId() as never },
      sealer: createSealer(Buffer.alloc(32, 1)),
    });
    await expect(other.unseal(id, 2)).rejects.toMatchObject({ code: "seal_key_missing" });
    await other.close();
    const without = createEventLog({
      store: openSqliteStore({ dir, clock }),
      clock,
      ids: { next: () => newEventId() as never },
    });
    const refused = await without.append(
      one({
        stream: id,
        events: [
          {
            type: "agent.tool.start",
            data: { name: "x", arguments: { key: secret }, tool_call_id: "c" },
            seal: true,
          },
        ],
      }),
    );
    expect(refused).toMatchObject({ ok: false, refusal: { code: "seal_key_missing" } });
    await without.close();
  });
});

function flipByteAt(file: string, text: string): void {
  const at = readFileSync(file).indexOf(text);
  expect(at).toBeGreaterThan(0);
  const handle = openSync(file, "r+");
  writeSync(handle, Buffer.from([text.charCodeAt(3) ^ 1]), 0, 1, at + 3);
  closeSync(handle);
}
