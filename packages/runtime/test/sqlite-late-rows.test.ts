import { copyFileSync, mkdirSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { StreamId } from "@fairlead/contract";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ProjectedRow } from "../src/ports/log-store.ts";
import type { Projection } from "../src/ports/projection.ts";
import { create, events, handClock, one, openLog, token } from "../src/ports/event-log.contract/support.ts";
import { fitsRecord, fromParts, numberOf, toParts } from "../src/stores/sqlite/late-parts.ts";
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

  it("leave nothing behind of what was purged, in no record either", async () => {
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

describe("records in parts", () => {
  const row = (doc: string, at: number): ProjectedRow => ({
    kind: "said",
    id: `id "${at}"`,
    stream: "ses_1" as StreamId,
    state: "odd",
    at,
    doc,
  });
  const rows = fc.array(fc.string({ unit: "binary", maxLength: 5_000 }), { minLength: 1, maxLength: 3 });

  it("come back whole and in order, without those that are settled", () => {
    fc.assert(
      fc.property(fc.array(rows, { maxLength: 4 }), fc.nat(4), (all, settled) => {
        const records = all.map((docs, i) => ({
          no: i + 1,
          rows: docs.map((doc, at) => row(JSON.stringify(doc.toWellFormed()), at)),
        }));
        const parts = [...records.flatMap(toParts).toReversed(), Buffer.alloc(20)];
        const owed = parts.filter((part) => numberOf(part) > settled);
        expect(fromParts(owed)).toEqual(records.slice(settled));
      }),
      { numRuns: 15 },
    );
  });

  it("are not for a text of several lines", () => {
    expect(fitsRecord(row('"one line\\n"', 1))).toBe(true);
    expect(fitsRecord(row("two\nlines", 1))).toBe(false);
  });
});
