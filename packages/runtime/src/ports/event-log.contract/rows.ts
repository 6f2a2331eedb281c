import { expect, it } from "vitest";
import type { EventLog, RowPage } from "../event-log.ts";
import { create, events, one, refusal, token } from "./support.ts";

interface Count {
  readonly count: number;
  readonly last: string;
}

export function rowSuite(log: () => EventLog): void {
  const count = async (id: string) => (await log().row<Count>("token_count", id))?.count;

  it("changes projected rows with the events, and not at all when the append is refused", async () => {
    const id = await create(log(), 4);
    expect(await count(id)).toBe(3);
    expect(
      refusal(await log().append(one({ stream: id, events: [token("no")], guard: { expectedSeq: 1 } }))),
    ).toBe("seq_conflict");
    expect(await count(id)).toBe(3);
    await Promise.all(
      Array.from({ length: 50 }, () => log().append(one({ stream: id, events: [token("x")] }))),
    );
    expect(await count(id)).toBe(53);
    expect(await log().row("token_count", "ses_none")).toBeUndefined();
  });

  it("drops the rows of a stream that is purged, and only those", async () => {
    const [gone, stays] = [await create(log(), 2), await create(log(), 3)];
    await log().trim(stays, 1);
    await log().purge(gone);
    expect(await count(gone)).toBeUndefined();
    expect(await count(stays)).toBe(2);
  });

  it("lists rows newest first, by state and scope, by page", async () => {
    const project = `prj_${Date.now().toString(36)}${Math.floor(Math.random() * 1e9)}`;
    for (let i = 1; i <= 5; i++) await create(log(), i, { project, created_by: i % 2 === 0 ? "ada" : "bob" });
    await create(log(), 3, { project, owner: "system" });
    const list = async (query: object) => log().rows<Count>("token_count", { scope: { project }, ...query });
    const counts = (page: RowPage<Count>) => page.rows.map((row) => row.count);
    expect(counts(await list({}))).toEqual([4, 3, 2, 1, 0]);
    expect(counts(await list({ state: ["odd"] }))).toEqual([3, 1]);
    expect(counts(await list({ scope: { project, created_by: "ada" } }))).toEqual([3, 1]);
    expect(counts(await list({ scope: { project, owner: "system" } }))).toEqual([2]);
    expect(counts(await list({ scope: { project, owner: "any" } }))).toHaveLength(6);
    const first = await list({ limit: 2 });
    const second = await list({ limit: 2, cursor: first.cursor ?? "" });
    const third = await list({ limit: 2, cursor: second.cursor ?? "" });
    expect([counts(first), counts(second), counts(third), third.cursor]).toEqual([[4, 3], [2, 1], [0], null]);
    await expect(list({ cursor: "garbage" })).rejects.toMatchObject({ code: "invalid_cursor" });
  });

  it("lists rows oldest first, where that is asked for", async () => {
    const project = `prj_${Date.now().toString(36)}${Math.floor(Math.random() * 1e9)}`;
    for (let i = 1; i <= 5; i++) await create(log(), i, { project });
    const list = async (query: object) =>
      log().rows<Count>("token_count", { scope: { project }, oldest: true, ...query });
    const counts = (page: RowPage<Count>) => page.rows.map((row) => row.count);
    expect(counts(await list({}))).toEqual([0, 1, 2, 3, 4]);
    expect(counts(await list({ state: ["odd"] }))).toEqual([1, 3]);
    const first = await list({ limit: 2 });
    const second = await list({ limit: 2, cursor: first.cursor ?? "" });
    const third = await list({ limit: 2, cursor: second.cursor ?? "" });
    expect([counts(first), counts(second), counts(third), third.cursor]).toEqual([[0, 1], [2, 3], [4], null]);
  });

  it("lists rows of streams that nobody holds, where that is asked for", async () => {
    const project = `prj_${Date.now().toString(36)}${Math.floor(Math.random() * 1e9)}`;
    const held = await create(log(), 1, { project });
    await create(log(), 2, { project });
    const counts = async () =>
      (await log().rows<Count>("token_count", { scope: { project }, unheld: true })).rows.map(
        ({ count }) => count,
      );
    expect(await counts()).toEqual([1, 0]);
    const lease = await log().acquireLease(held, "process-1", 60_000);
    expect(await counts()).toEqual([1]);
    if (lease !== undefined) await log().releaseLease(lease);
    expect(await counts()).toEqual([1, 0]);
    // One that has run out is nobody's.
    await log().acquireLease(held, "process-1", 0);
    expect(await counts()).toEqual([1, 0]);
  });

  it("says until when streams are held, also when that is over, and not of those that were given back", async () => {
    const [one, two, three] = [await create(log()), await create(log()), await create(log())];
    const all = async () => [...(await log().leases([one, two, three, "ses_none"])).keys()].toSorted();
    expect(await all()).toEqual([]);
    const long = await log().acquireLease(one, "process-1", 60_000);
    await log().acquireLease(two, "process-1", 0);
    expect(await all()).toEqual([one, two].toSorted());
    const until = (await log().leases([one])).get(one) ?? 0;
    if (long !== undefined) await log().renewLease(long, 600_000);
    // Both by one clock, which may stand still: what the renewal added is what it was longer by, and more.
    expect((await log().leases([one])).get(one)).toBeGreaterThanOrEqual(until + 540_000);
    if (long !== undefined) await log().releaseLease(long);
    expect(await all()).toEqual([two]);
    expect(await log().leases([])).toEqual(new Map());
  });

  it("hands one lease at a time, and refuses who holds an old one", async () => {
    const id = await create(log());
    const first = await log().acquireLease(id, "process-1", 60_000);
    expect(first).toMatchObject({ stream: id, holder: "process-1", epoch: 1 });
    expect(await log().acquireLease(id, "process-2", 60_000)).toBeUndefined();
    const guarded = (epoch: number) =>
      log().append(one({ stream: id, events: [token("x")], guard: { epoch } }));
    events(await guarded(1));
    expect(first && (await log().renewLease(first, 60_000))).toBe(true);
    if (first !== undefined) await log().releaseLease(first);
    const second = await log().acquireLease(id, "process-2", 60_000);
    expect(second?.epoch).toBe(2);
    expect(await guarded(1)).toMatchObject({
      ok: false,
      refusal: { code: "lease_lost", details: { epoch: 1, current: 2 } },
    });
    events(await guarded(2));
    expect(first && (await log().renewLease(first, 60_000))).toBe(false);
    if (first !== undefined) await log().releaseLease(first);
    expect(await log().acquireLease(id, "process-3", 60_000)).toBeUndefined();
    await expect(log().acquireLease("ses_none", "process-1", 1)).rejects.toMatchObject({
      code: "session_not_found",
    });
  });
}
