import { expect, it } from "vitest";
import type { AnyEvent } from "@fairlead/contract";
import type { EventLog, Positioned } from "../event-log.ts";
import { create, events, newSession, one, seqs, state, token } from "./support.ts";

export function readSuite(log: () => EventLog): void {
  it("reads by page, forward and backward", async () => {
    const id = await create(log(), 10);
    const first = await log().read(id, { limit: 4 });
    expect([seqs(first.events), first.next, first.head_seq]).toEqual([[1, 2, 3, 4], 4, 10]);
    const rest = await log().read(id, { after: 4, limit: 100 });
    expect([seqs(rest.events), rest.next]).toEqual([[5, 6, 7, 8, 9, 10], null]);
    const newest = await log().read(id, { before: 11, limit: 3 });
    expect([seqs(newest.events), newest.next]).toEqual([[10, 9, 8], 8]);
    const oldest = await log().read(id, { before: 4, limit: 10 });
    expect([seqs(oldest.events), oldest.next]).toEqual([[3, 2, 1], null]);
    expect((await log().read(id, { after: 10 })).events).toEqual([]);
  });

  it("filters by type and by tier", async () => {
    const id = await create(log(), 3);
    const usage = {
      type: "agent.usage",
      data: { input_tokens: 1, output_tokens: 2, total_tokens: 3 },
    } as const;
    events(await log().append(one({ stream: id, events: [usage, token("last")] })));
    expect(seqs((await log().read(id, { types: ["agent.output.delta"] })).events)).toEqual([2, 3, 5]);
    expect(
      seqs((await log().read(id, { types: ["agent.output.delta"], before: 5, limit: 1 })).events),
    ).toEqual([3]);
    expect(seqs((await log().read(id, { tier: "debug" })).events)).toEqual([1, 2, 3, 4, 5]);
    expect(seqs((await log().read(id, { tier: "default" })).events)).toEqual([1, 2, 3, 5]);
    expect((await log().read(id, { tier: "default", types: ["agent.usage"] })).events).toEqual([]);
  });

  it("refuses to read what never was", async () => {
    await expect(log().read(newSession())).rejects.toMatchObject({ code: "session_not_found" });
    await expect(log().subscribe(newSession())[Symbol.asyncIterator]().next()).rejects.toMatchObject({
      code: "session_not_found",
    });
  });

  it("reads all streams in commit order, each event once, in the order of each stream", async () => {
    const start = await lastPosition(log());
    const ids = await Promise.all([create(log()), create(log()), create(log())]);
    await Promise.all(
      Array.from({ length: 60 }, (_, i) =>
        log().append(one({ stream: ids[i % 3] ?? newSession(), events: [token(`${i}`)] })),
      ),
    );
    const all = await readAllFrom(log(), start);
    expect(all).toHaveLength(63);
    const positions = all.map((entry) => entry.pos);
    expect(positions).toEqual(positions.toSorted((a, b) => a - b));
    expect(new Set(positions).size).toBe(63);
    for (const id of ids)
      expect(seqs(all.map((entry) => entry.event).filter((event) => event.stream === id))).toEqual(
        Array.from({ length: 21 }, (_, i) => i + 1),
      );
  });

  it("knows the end of all streams, also when its event was trimmed", async () => {
    const id = await create(log(), 3);
    const end = await log().lastPosition();
    expect((await readAllFrom(log(), 0)).at(-1)?.pos).toBe(end);
    await log().trim(id, 3);
    expect(await log().lastPosition()).toBe(end);
    expect((await log().readAll({ after: end })).events).toEqual([]);
    events(await log().append(one({ stream: id, events: [token("next")] })));
    expect((await log().readAll({ after: end })).events).toHaveLength(1);
  });

  it("follows a stream: replay, then live, without gap or duplicate", async () => {
    const id = await create(log(), 40);
    const stop = new AbortController();
    const seen: AnyEvent[][] = [[], [], []];
    const done = Promise.all(
      [0, 17, 40].map(async (after, i) => {
        for await (const batch of log().subscribe(id, { after, signal: stop.signal })) {
          seen[i]?.push(...batch);
          if (batch.at(-1)?.seq === 240) break;
        }
      }),
    );
    for (let i = 0; i < 100; i++)
      await Promise.all([
        log().append(one({ stream: id, events: [token("x")] })),
        log().append(one({ stream: id, events: [token("y")] })),
      ]);
    await done;
    expect(seen.map(seqs)).toEqual(
      [0, 17, 40].map((after) => Array.from({ length: 240 - after }, (_, i) => after + 1 + i)),
    );
  });

  it("follows all streams, and hands every follower the same order", async () => {
    const start = await lastPosition(log());
    const id = newSession();
    const stop = new AbortController();
    const followers = [0, 1].map(async () => {
      const found: Positioned[] = [];
      for await (const batch of log().subscribeAll({ after: start, signal: stop.signal })) {
        found.push(...batch);
        if (found.length >= 101) break;
      }
      return found;
    });
    events(
      await log().append(
        one({
          stream: id,
          create: { owner: "user", kind: "chat", project: null, broadcast: false, created_by: null },
          events: [state(id)],
        }),
      ),
    );
    await Promise.all(
      Array.from({ length: 100 }, (_, i) => log().append(one({ stream: id, events: [token(`${i}`)] }))),
    );
    const [a, b] = await Promise.all(followers);
    expect(a).toEqual(b);
    expect(a).toEqual(await readAllFrom(log(), start));
  });

  it("serves who comes after everyone had left, though nothing more is written", async () => {
    const id = await create(log());
    for (let round = 0; round < 3; round++) {
      const start = await lastPosition(log());
      const [first, second] = await Promise.all([
        log().subscribeAll({ after: start })[Symbol.asyncIterator]().next(),
        log().append(one({ stream: id, events: [token("while followed")] })),
      ]);
      expect([first.value?.length, second.ok]).toEqual([1, true]);
      const after = await lastPosition(log());
      const alone = log().subscribeAll({ after })[Symbol.asyncIterator]();
      await Promise.all([alone.next(), log().append(one({ stream: id, events: [token("live")] }))]);
      await alone.return?.();
      const cursor = await lastPosition(log());
      events(await log().append(one({ stream: id, events: [token("nobody follows")] })));
      const late = log().subscribeAll({ after: cursor })[Symbol.asyncIterator]();
      expect((await late.next()).value?.map((entry: Positioned) => entry.pos > cursor)).toEqual([true]);
      await late.return?.();
    }
  });

  it("ends a follower when its signal aborts, also while it waits", async () => {
    const id = await create(log());
    const stop = new AbortController();
    const batches: number[][] = [];
    const done = (async () => {
      for await (const batch of log().subscribe(id, { signal: stop.signal })) batches.push(seqs(batch));
    })();
    await new Promise((resolve) => setTimeout(resolve, 30));
    stop.abort();
    await done;
    expect(batches).toEqual([[1]]);
  });
}

async function readAllFrom(log: EventLog, start: number): Promise<Positioned[]> {
  const all: Positioned[] = [];
  for (let after = start; ;) {
    const page = await log.readAll({ after, limit: 10 });
    if (page.events.length === 0) return all;
    all.push(...page.events);
    after = page.next;
  }
}

async function lastPosition(log: EventLog): Promise<number> {
  const last = (await readAllFrom(log, 0)).at(-1)?.pos ?? 0;
  expect(await log.lastPosition()).toBeGreaterThanOrEqual(last);
  return last;
}
