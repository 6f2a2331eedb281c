import type { AnyEvent } from "@fairlead/contract";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { EventLog, Positioned } from "../src/ports/event-log.ts";
import {
  type Site,
  create,
  events,
  handClock,
  one,
  openLog,
  readWhole,
  refusal,
  seqs,
  token,
  tokenCount,
} from "../src/ports/event-log.contract/support.ts";
import { postgres } from "./stores.ts";

/** Several processes over one database, as far as the log can tell: each has its own connections, caches and tails. */
describe("two logs over one PostgreSQL", () => {
  let site: Site;
  let a: EventLog;
  let b: EventLog;
  beforeAll(async () => {
    site = await postgres.newSite();
    const clock = handClock();
    // At the same moment on an empty database: migrating twice at once is safe.
    [a, b] = await Promise.all(
      [0, 1].map(async () => openLog(await site.open(clock), clock, [tokenCount])) as [
        Promise<EventLog>,
        Promise<EventLog>,
      ],
    );
  });
  afterAll(async () => {
    await Promise.all([a?.close(), b?.close()]);
  });

  it("interleave their writers without gap, duplicate or lost row", async () => {
    const id = await create(a);
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, i) =>
        (i % 2 === 0 ? a : b).append(one({ stream: id, events: [token(`${i}`)] })),
      ),
    );
    expect(answers.flatMap((answer) => seqs(events(answer))).toSorted((x, y) => x - y)).toEqual(
      Array.from({ length: 200 }, (_, i) => i + 2),
    );
    expect(await a.row("token_count", id)).toMatchObject({ count: 200 });
    expect(await a.verify(id)).toMatchObject({ events: 201, broken: [] });
  });

  it("keep the order of appends that nobody waited for, each of its own", async () => {
    const ids = [await create(a), await create(b), await create(a)];
    const answers = Array.from({ length: 1_200 }, (_, i) => {
      const [log, name] = i % 2 === 0 ? [a, "a"] : [b, "b"];
      return log.append(one({ stream: ids[i % 3]!, events: [token(`${name}${i}`)] }));
    });
    for (const answer of await Promise.all(answers)) events(answer);
    for (const id of ids) {
      const found = (await readWhole(a, id, "own", 1_000)).slice(1);
      expect(found).toHaveLength(400);
      for (const name of ["a", "b"]) {
        const texts = found.map((event) => (event.data as { text: string }).text);
        const own = texts.filter((text) => text.startsWith(name)).map((text) => Number(text.slice(1)));
        expect(own).toEqual(own.toSorted((x, y) => x - y));
      }
      expect(await b.row("token_count", id)).toMatchObject({ count: 400 });
      expect((await b.verify(id)).broken).toEqual([]);
    }
  });

  it("never refuse by what they remember when the other has moved on", async () => {
    const id = await create(a, 3);
    events(await b.append(one({ stream: id, events: [token("by b")], guard: { expectedSeq: 3 } })));
    expect(
      refusal(await a.append(one({ stream: id, events: [token("stale")], guard: { expectedSeq: 3 } }))),
    ).toBe("seq_conflict");
    events(await a.append(one({ stream: id, events: [token("by a")], guard: { expectedSeq: 4 } })));
    events(await b.append(one({ stream: id, events: [token("by b")], guard: { expectedSeq: 5 } })));
    const lease = await b.acquireLease(id, "b", 60_000);
    events(await b.append(one({ stream: id, events: [token("held")], guard: { epoch: lease?.epoch ?? 0 } })));
    expect(await a.acquireLease(id, "a", 60_000)).toBeUndefined();
    expect(refusal(await a.append(one({ stream: id, events: [token("old")], guard: { epoch: 0 } })))).toBe(
      "lease_lost",
    );
  });

  it("let one of them claim a key", async () => {
    const id = await create(a);
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        (i % 2 === 0 ? a : b).append(one({ stream: id, events: [token(`${i}`)] }, [`once:${id}`])),
      ),
    );
    expect(answers.filter((answer) => answer.ok)).toHaveLength(1);
    expect(new Set(answers.map(refusal))).toEqual(new Set(["accepted", "key_taken"]));
    expect((await a.stream(id))?.head_seq).toBe(2);
  });

  it("serve a follower of one what the other writes, live, exactly once", async () => {
    const id = await create(a);
    const seen: AnyEvent[] = [];
    const all: Positioned[] = [];
    const start = await a.lastPosition();
    const stream = (async () => {
      for await (const batch of a.subscribe(id)) {
        seen.push(...batch);
        if (seen.length >= 201) return;
      }
    })();
    const everything = (async () => {
      for await (const batch of b.subscribeAll({ after: start })) {
        all.push(...batch);
        if (all.length >= 200) return;
      }
    })();
    for (let i = 0; i < 50; i++) {
      await Promise.all([a, b, a, b].map((log) => log.append(one({ stream: id, events: [token(`${i}`)] }))));
    }
    await Promise.all([stream, everything]);
    expect(seqs(seen)).toEqual(Array.from({ length: 201 }, (_, i) => i + 1));
    expect(seen).toEqual(await readWhole(b, id, "own", 1_000));
    expect(seqs(all.map((entry) => entry.event))).toEqual(Array.from({ length: 200 }, (_, i) => i + 2));
  });

  it("deliver every last event before a silence to followers of the other", async () => {
    const id = await create(a);
    const stop = new AbortController();
    let heard = 0;
    const follower = (async () => {
      for await (const batch of a.subscribe(id, { signal: stop.signal })) heard = batch.at(-1)?.seq ?? heard;
    })();
    for (let round = 0; round < 60; round++) {
      const log = round % 5 === 0 ? a : b;
      await Promise.all(
        Array.from({ length: 1 + (round % 3) }, () => log.append(one({ stream: id, events: [token("x")] }))),
      );
      const head = (await b.stream(id))?.head_seq ?? 0;
      // Nothing more is written until it came: a lost wake-up would stop the test here.
      while (heard < head) await new Promise((resolve) => setTimeout(resolve, 1));
    }
    stop.abort();
    await follower;
    expect(heard).toBe((await a.stream(id))?.head_seq);
  });

  it("see the other's purge", async () => {
    const id = await create(a, 3);
    events(await b.append(one({ stream: id, events: [token("b knows it")] })));
    await a.purge(id);
    expect(refusal(await b.append(one({ stream: id, events: [token("too late")] })))).toBe("session_purged");
    await expect(b.read(id)).rejects.toMatchObject({ code: "session_purged" });
  });
});
