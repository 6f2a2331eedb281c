import { copyFileSync, mkdirSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { NewEvent, StreamId } from "@fairlead/contract";
import { describe, expect, it } from "vitest";
import { PROJECTIONS } from "../src/domain/projections.ts";
import type { ProjectedRow } from "../src/ports/log-store.ts";
import type { Projection } from "../src/ports/projection.ts";
import {
  create,
  events,
  handClock,
  one,
  openLog,
  state,
  token,
} from "../src/ports/event-log.contract/support.ts";
import { openSqliteStore } from "../src/stores/sqlite/open.ts";
import { temporaryFolders } from "./stores.ts";

/** All that was said, so that a row can be as long as one likes. */
const said: Projection<{ text: string; count: number }> = {
  kind: "said",
  types: ["agent.output.delta"],
  key: (event) => event.stream,
  evolve: (row, event) => ({
    text: String((event.data as { text?: unknown }).text),
    count: (row?.count ?? 0) + 1,
  }),
  state: ({ count }) => (count % 2 === 0 ? "even" : "odd"),
  at: ({ count }) => count,
  marks: ({ count }) => [{ kind: "said_count", at: count }],
};

describe("rows that are written after their commit", () => {
  const newFolder = temporaryFolders();
  const clock = handClock();
  const open = (dir: string) => openLog(openSqliteStore({ dir, clock }), clock, [said]);
  const say = async (log: ReturnType<typeof open>, id: StreamId, text: string) =>
    events(await log.append(one({ stream: id, events: [token(text)] })));

  /** The files as a process that is killed now leaves them. */
  function killedNow(dir: string): string {
    const copy = join(newFolder(), "data");
    mkdirSync(copy);
    for (const name of ["fairlead.db", "fairlead.db-wal"]) copyFileSync(join(dir, name), join(copy, name));
    return copy;
  }

  /** What the table itself holds, whatever else there is. */
  function settledRows(dir: string): unknown[] {
    const db = new DatabaseSync(join(dir, "fairlead.db"));
    const found = db.prepare("SELECT doc FROM rows WHERE kind = 'said'").all();
    db.close();
    return found.map(({ doc }) => JSON.parse(String(doc)) as unknown);
  }

  it("are there after a kill that came before they were written", async () => {
    const dir = newFolder();
    const log = open(dir);
    const id = await create(log);
    await say(log, id, "first");
    await say(log, id, "second");
    const dead = killedNow(dir);
    expect(settledRows(killedNow(dir))).toEqual([]);
    const again = open(dead);
    expect(await again.row("said", id)).toEqual({ text: "second", count: 2 });
    expect((await again.rows("said", { state: ["even"] })).rows).toEqual([{ text: "second", count: 2 }]);
    await say(again, id, "third");
    expect(await again.row("said", id)).toEqual({ text: "third", count: 3 });
    await again.close();
    await log.close();
  });

  it("are listed and counted as soon as their commit is acknowledged", async () => {
    const log = open(newFolder());
    const ids = [await create(log), await create(log), await create(log)] as const;
    await say(log, ids[0], "a");
    expect(await log.count("said", { state: ["odd"] })).toBe(1);
    await say(log, ids[1], "b");
    await say(log, ids[1], "c");
    expect((await log.rows("said", {})).rows).toEqual([
      { text: "c", count: 2 },
      { text: "a", count: 1 },
    ]);
    expect((await log.rows("said", { order: { mark: "said_count" } })).rows).toHaveLength(2);
    await log.close();
  });

  it("are right however many commits came before they could be written, and whatever their size", async () => {
    const dir = newFolder();
    const log = open(dir);
    const ids = [await create(log), await create(log)] as const;
    const lengths = [10, 3_000, 9_000, 20, 31_000, 40, 3_900, 3_880, 1];
    // Not a moment of rest between them: no timer has its turn for long.
    for (let i = 1; i <= 300; i++)
      await say(log, ids[(i % 2) as 0 | 1], `ü${"x".repeat(lengths[i % 9] ?? 0)}${i}`);
    const again = open(killedNow(dir));
    for (const side of [log, again]) {
      expect(await side.row("said", ids[0])).toMatchObject({
        count: 150,
        text: expect.stringMatching(/300$/) as string,
      });
      expect(await side.row("said", ids[1])).toMatchObject({
        count: 150,
        text: expect.stringMatching(/299$/) as string,
      });
    }
    await again.close();
    await log.close();
  });

  it("are written in a while, also if nobody asks for them", async () => {
    const dir = newFolder();
    const log = open(dir);
    await say(log, await create(log), "alone");
    await expect.poll(() => settledRows(killedNow(dir))).toEqual([{ text: "alone", count: 1 }]);
    await log.close();
  });

  it("are made of more events than fit a page, in their order, when a process that was killed owed them", async () => {
    const dir = newFolder();
    const bare = openLog(openSqliteStore({ dir, clock }), clock, []);
    const ids = [await create(bare), await create(bare)] as const;
    for (let i = 1; i <= 12; i++)
      for (const id of ids)
        events(
          await bare.append(
            one({ stream: id, events: Array.from({ length: 50 }, (_, n) => token(`${i}/${n}`)) }),
          ),
        );
    // Who knows no projections leaves them to who does.
    await bare.close();
    expect(settledRows(dir)).toEqual([]);
    const log = open(dir);
    const added = say(log, ids[0], "after");
    expect(await log.row("said", ids[1])).toEqual({ text: "12/49", count: 600 });
    await added;
    expect(await log.row("said", ids[0])).toEqual({ text: "after", count: 601 });
    expect(await log.count("said", {})).toBe(2);
    await log.close();
    const again = open(dir);
    expect(await again.row("said", ids[0])).toEqual({ text: "after", count: 601 });
    await again.close();
  });

  it("are made without an event that a projection cannot fold, which is reported, and no other row waits for it", async () => {
    const dir = newFolder();
    const strict: Projection<{ count: number }> = {
      kind: "strict",
      types: ["agent.output.delta"],
      key: (event) => {
        if ((event.data as { text?: unknown }).text === "nobody's") throw new Error("whose is it");
        return event.stream;
      },
      evolve: (row, event) => {
        if ((event.data as { text?: unknown }).text === "bad") throw new Error("no such thing");
        return { count: (row?.count ?? 0) + 1 };
      },
      state: () => "",
      at: () => 0,
    };
    const reported: string[] = [];
    const openStrict = (at: string) =>
      openLog(openSqliteStore({ dir: at, clock }), clock, [strict, said], (error) =>
        reported.push(
          `${(error as Error).message.split(" folded into ")[1]} ${String((error as Error).cause)}`,
        ),
      );
    const log = openStrict(dir);
    const [id, other] = [await create(log), await create(log)];
    for (const text of ["bad", "one", "bad", "three"]) await say(log, id, text);
    await say(log, other, "bad");
    const dead = killedNow(dir);
    for (const side of [log, openStrict(dead)]) {
      await say(side, other, "nobody's");
      expect(await side.row("strict", id)).toEqual({ count: 2 });
      expect(await side.row("strict", other)).toBeUndefined();
      expect((await side.rows("said", {})).rows).toEqual([
        { text: "three", count: 4 },
        { text: "bad", count: 1 },
      ]);
      expect((await side.rows("strict", {})).rows).toEqual([{ count: 2 }]);
      expect(reported.splice(0).toSorted()).toEqual(
        [
          `any row. Error: whose is it`,
          ...[id, id, other].map((row) => `the row strict ${row}. Error: no such thing`),
        ].toSorted(),
      );
      await side.close();
    }
  });

  it("are made of an event that moved to a blob whole, so that its data is not as its type has it", async () => {
    const dir = newFolder();
    const reported: unknown[] = [];
    const log = openLog(openSqliteStore({ dir, clock }), clock, PROJECTIONS, (error) => reported.push(error));
    const [id, other] = [await create(log), await create(log)];
    const more = Object.fromEntries(Array.from({ length: 400 }, (_, i) => [`more_${i}`, "x".repeat(100)]));
    const tasks = {
      type: "runtime.task.list",
      data: { run_id: "r", session_id: "s", updated_at: "now", tasks: [], ...more },
    } as unknown as NewEvent;
    events(await log.append(one({ stream: id, events: [tasks, state(id)] })));
    expect((await log.rows("session", {})).rows).toHaveLength(2);
    expect(reported).toHaveLength(1);
    const again = openLog(openSqliteStore({ dir: killedNow(dir), clock }), clock, PROJECTIONS);
    events(await again.append(one({ stream: other, events: [state(other)] })));
    expect((await again.rows("session", {})).rows).toHaveLength(2);
    await again.close();
    await log.close();
  });

  it("are written whatever their time or sum comes to", async () => {
    const odd: Projection<{ at: number }> = {
      kind: "odd",
      types: ["agent.output.delta"],
      key: (event) => event.id,
      evolve: (_, event) => ({ at: Number((event.data as { text?: unknown }).text) }),
      state: () => "",
      at: ({ at }) => at,
      marks: ({ at }) => [{ kind: "odd_mark", at }],
    };
    const log = openLog(openSqliteStore({ dir: newFolder(), clock }), clock, [odd]);
    const id = await create(log);
    for (const text of ["none", "1e300", "-Infinity", "0.5", "7", "9007199254740993"])
      await say(log, id, text);
    expect((await log.rows("odd", {})).rows).toHaveLength(6);
    expect((await log.rows("odd", { order: { mark: "odd_mark" } })).rows).toHaveLength(6);
    await log.purge(id);
    await log.close();
  });

  it("are not written of what was purged meanwhile", async () => {
    const store = openSqliteStore({ dir: newFolder(), clock });
    const log = openLog(store, clock, [said]);
    const [id, other] = [await create(log), await create(log)];
    await say(log, id, "gone");
    await log.purge(id);
    const row = (stream: StreamId): ProjectedRow => ({
      kind: "said",
      id: stream,
      stream,
      state: "",
      at: 1,
      doc: "{}",
    });
    store.later?.write([row(id), row(other)], 99);
    expect([store.later?.doc("said", id), store.later?.doc("said", other)]).toEqual([undefined, "{}"]);
    expect(await log.count("said", {})).toBe(1);
    await log.close();
  });

  it("of one stream can be read in between, and are folded once", async () => {
    const log = open(newFolder());
    const id = await create(log);
    for (const count of [1, 2, 3]) {
      await say(log, id, `number ${count}`);
      const row = await log.row<{ text: string; count: number }>("said", id);
      expect(row).toEqual({ text: `number ${count}`, count });
      // What one reader does with it is not another's matter.
      (row as { count: number }).count = 99;
    }
    expect((await log.rows("said", {})).rows).toEqual([{ text: "number 3", count: 3 }]);
    await log.close();
  });

  it("stay as they were when a commit is refused", async () => {
    const log = open(newFolder());
    const id = await create(log);
    await say(log, id, "kept");
    const refused = await log.append({
      writes: [{ stream: id, events: [token("refused")], guard: { expectedSeq: 99 } }],
    });
    expect(refused).toMatchObject({ ok: false });
    expect(await log.row("said", id)).toEqual({ text: "kept", count: 1 });
    await log.close();
  });

  it("wait for a foreign writer to let go, and lose nothing by it", async () => {
    const dir = newFolder();
    const log = open(dir);
    const id = await create(log);
    await say(log, id, "before");
    const other = new DatabaseSync(join(dir, "fairlead.db"));
    other.exec("BEGIN IMMEDIATE");
    expect(await log.row("said", id)).toEqual({ text: "before", count: 1 });
    await expect(log.rows("said", {})).rejects.toMatchObject({ code: "store_unavailable" });
    other.exec("ROLLBACK");
    other.close();
    expect((await log.rows("said", {})).rows).toEqual([{ text: "before", count: 1 }]);
    await log.close();
  });

  it("leave nothing behind of what was purged, in no file", async () => {
    const dir = newFolder();
    const log = open(dir);
    const [id, other] = [await create(log), await create(log)];
    const mark = "what-nobody-may-read-again";
    for (let i = 0; i < 5; i++) await say(log, id, `${mark} ${"long ".repeat(i * 500)}`);
    await say(log, other, "stays");
    await log.purge(id);
    for (const file of readdirSync(dir))
      expect([file, readFileSync(join(dir, file)).includes(mark)]).toEqual([file, false]);
    await say(log, other, "still");
    const again = open(killedNow(dir));
    expect(await again.row("said", id)).toBeUndefined();
    expect(await again.row("said", other)).toEqual({ text: "still", count: 2 });
    await again.close();
    await log.close();
  });
});

describe("rows of a program before migration 3", () => {
  const newFolder = temporaryFolders();
  const clock = handClock();

  /** A record as that program put it down: which one, which part of how many, the bytes in use, and then those. */
  function partsOf(no: number, rows: readonly ProjectedRow[]): Buffer[] {
    const lines = rows.flatMap(({ kind, id, stream, state, at, doc }) => [
      JSON.stringify([kind, id, stream, state, at]),
      doc,
    ]);
    const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(""));
    const room = 3_880;
    const count = Math.ceil(bytes.length / room);
    return Array.from({ length: count }, (_, i) => {
      const part = Buffer.alloc(3_900);
      part.writeDoubleLE(no, 0);
      part.writeUInt32LE(i, 8);
      part.writeUInt32LE(count, 12);
      part.writeUInt32LE(bytes.copy(part, 20, i * room, (i + 1) * room), 16);
      return part;
    });
  }

  it("are taken over, also those that a process which was killed still owed", async () => {
    const dir = newFolder();
    const log = openLog(openSqliteStore({ dir, clock }), clock, [said]);
    const id = await create(log);
    events(await log.append(one({ stream: id, events: [token("one"), token("two")] })));
    await log.close();
    const row = (count: number, text: string): ProjectedRow => ({
      kind: "said",
      id,
      stream: id,
      state: "odd",
      at: count,
      doc: JSON.stringify({ text, count }),
    });
    const db = new DatabaseSync(join(dir, "fairlead.db"));
    db.exec(`DELETE FROM migrations WHERE version = 3; ALTER TABLE positions DROP COLUMN rows_up_to;
      ${readFileSync(new URL("../src/stores/sqlite/migrations/0002-late-rows.sql", import.meta.url), "utf8")}
      UPDATE positions SET settled = 1`);
    const put = db.prepare("INSERT INTO late_rows (part) VALUES (?)");
    const long = "ü".repeat(5_000);
    for (const part of [
      ...partsOf(3, [row(2, long)]),
      ...partsOf(2, [
        row(1, "x"),
        { ...row(1e300, "x"), id: "huge", state: "" },
        { ...row(Number.NaN, "x"), id: "none", state: "" },
      ]),
      ...partsOf(1, [row(9, "old")]),
    ])
      put.run(part);
    put.run(Buffer.alloc(3_900));
    db.close();

    const again = openLog(openSqliteStore({ dir, clock }), clock, [said]);
    expect(await again.row("said", id)).toEqual({ text: long, count: 2 });
    expect(await again.count("said", { scope: { owner: "any" } })).toBe(3);
    events(await again.append(one({ stream: id, events: [token("three")] })));
    expect((await again.rows("said", { state: ["odd"] })).rows).toEqual([{ text: "three", count: 3 }]);
    await again.close();
  });
});
