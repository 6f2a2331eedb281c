import type { StreamId } from "@fairlead/contract";
import { afterAll, beforeAll, expect, test } from "vitest";
import { changeOf, eventRow, makeStream, positionsOf } from "../../../test/support/changes.ts";
import { freshDatabase } from "../../../test/support/postgres.ts";
import type { RowQuery } from "../../ports/event-log.ts";
import type { LogStore, ProjectedRow, StreamRow } from "../../ports/log-store.ts";
import { openPostgresStore } from "./open.ts";

let store: LogStore;
let mine: StreamRow;
let theirs: StreamRow;
let system: StreamRow;
beforeAll(async () => {
  store = await openPostgresStore({ url: await freshDatabase() });
  mine = await makeStream(store, 1, { project: "prj_a", created_by: "me" });
  theirs = await makeStream(store, 1, { project: "prj_b", created_by: "you" });
  system = await makeStream(store, 1, { owner: "system" });
  await put(
    Array.from({ length: 25 }, (_, i) =>
      // Pairs share a time, so that the id has to decide.
      row(
        `q${String(i).padStart(2, "0")}`,
        [mine, theirs, system][i % 3]?.id as StreamId,
        i % 5 === 0 ? "pending" : i % 5 === 1 ? "expired" : "done",
        1_000 + Math.floor(i / 2),
      ),
    ),
  );
});
afterAll(() => store?.close());

function row(id: string, stream: StreamId, state: string, at: number): ProjectedRow {
  return { kind: "question", id, stream, state, at, doc: JSON.stringify({ id, state, at }) };
}

async function put(rows: ProjectedRow[]): Promise<void> {
  const ids = [...new Set(rows.map(({ stream }) => stream))];
  const streams = await store.loadStreams(ids);
  const change = changeOf({
    streams: streams.map((stream) => ({
      row: { ...stream, head_seq: stream.head_seq + 1 },
      expect: { head_seq: stream.head_seq },
    })),
    events: streams.map((stream, i) => eventRow(i, stream.head_seq + 1)),
    rows,
  });
  positionsOf(await store.commit(change));
}

async function list(query: RowQuery): Promise<string[]> {
  const found: string[] = [];
  let cursor: string | null | undefined;
  do {
    const page = await store.rows("question", cursor == null ? query : { ...query, cursor });
    found.push(...page.rows.map((doc) => (JSON.parse(doc) as { id: string }).id));
    cursor = page.cursor;
  } while (cursor !== null);
  return found;
}

const all = Array.from({ length: 25 }, (_, i) => i).toReversed();
const named = (some: number[]) => some.map((i) => `q${String(i).padStart(2, "0")}`);
const any = { scope: { owner: "any" } } as const;

test("newest first, page by page, each row once", async () => {
  for (const limit of [1, 3, 25, 100]) expect(await list({ ...any, limit })).toEqual(named(all));
  expect((await store.rows("question", { ...any, limit: 25 })).cursor).toBeNull();
  expect((await store.rows("nothing", any)).rows).toEqual([]);
});

test("only what the caller may see", async () => {
  expect(await list({ limit: 4 })).toEqual(named(all.filter((i) => i % 3 !== 2)));
  expect(await list({ scope: { owner: "system" }, limit: 4 })).toEqual(named(all.filter((i) => i % 3 === 2)));
  expect(await list({ scope: { project: "prj_a" }, limit: 4 })).toEqual(
    named(all.filter((i) => i % 3 === 0)),
  );
  expect(await list({ scope: { created_by: "you" }, limit: 4 })).toEqual(
    named(all.filter((i) => i % 3 === 1)),
  );
  expect(await list({ scope: { project: "prj_a", created_by: "you" } })).toEqual([]);
});

test("by state and by stream", async () => {
  expect(await list({ ...any, state: ["pending"], limit: 2 })).toEqual(named(all.filter((i) => i % 5 === 0)));
  expect(await list({ ...any, state: ["expired", "pending", "pending"], limit: 3 })).toEqual(
    named(all.filter((i) => i % 5 <= 1)),
  );
  expect(await list({ ...any, state: [] })).toEqual([]);
  expect(await list({ stream: mine.id, limit: 2 })).toEqual(named(all.filter((i) => i % 3 === 0)));
  expect(await list({ stream: mine.id, state: ["done"], scope: { project: "prj_a" }, limit: 2 })).toEqual(
    named(all.filter((i) => i % 3 === 0 && i % 5 > 1)),
  );
});

test("a row that changes moves, and is still one", async () => {
  await put([row("q00", mine.id, "done", 9_000)]);
  expect((await list(any))[0]).toBe("q00");
  expect(await list({ ...any, state: ["pending"] })).not.toContain("q00");
  expect(JSON.parse((await store.loadRow("question", "q00")) as string)).toMatchObject({
    state: "done",
    at: 9_000,
  });
  expect(await list(any)).toHaveLength(25);
});

test("a cursor that is not ours is refused", async () => {
  await expect(store.rows("question", { cursor: "nonsense" })).rejects.toMatchObject({
    code: "invalid_cursor",
  });
});
