import { FairleadError, type NewEvent, type StreamId } from "@fairlead/contract";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  SPEC,
  create,
  events,
  failureOf,
  handClock,
  newSession,
  one,
  openLog,
  readWhole,
  refusal,
  seqs,
  state,
  take,
  token,
  tokenCount,
} from "../ports/event-log.contract/support.ts";
import type { EventLog, Guard } from "../ports/event-log.ts";
import type { Change, LogStore } from "../ports/log-store.ts";
import { openMemoryStore } from "../stores/memory/open.ts";

it("takes an append while the lease of its stream changes hands", async () => {
  const clock = handClock();
  const store = openMemoryStore({ clock });
  let meanwhile: (() => Promise<unknown>) | undefined;
  const slow: LogStore = {
    ...store,
    async loadRow(kind, id) {
      await meanwhile?.();
      return store.loadRow(kind, id);
    },
  };
  const id = newSession();
  events(await openLog(store, clock).append({ writes: [{ stream: id, events: [state(id)], create: SPEC }] }));
  const log = openLog(slow, clock, [tokenCount]);
  meanwhile = () => log.acquireLease(id, "somebody", 1_000);
  expect((await log.append({ writes: [{ stream: id, events: [token("x")] }] })).ok).toBe(true);
});

/** So many events that each append is a group of its own. */
const many = (text: string, count = 300): NewEvent[] => Array.from({ length: count }, () => token(text));
const turn = () => new Promise<void>((resolve) => void setImmediate(resolve));

async function until(holds: () => boolean): Promise<void> {
  for (let i = 0; i < 10_000 && !holds(); i++) await turn();
  expect(holds()).toBe(true);
}

interface Held {
  readonly change: Change;
  /** Lets it reach the store, or fail. */
  readonly release: (error?: Error) => void;
}

/** As a database in another process: its commits wait until they are let go, while `hold` is on. */
function apart(store: LogStore): { store: LogStore; held: Held[]; hold: (on: boolean) => void } {
  const held: Held[] = [];
  let holding = true;
  return {
    held,
    hold(on) {
      holding = on;
      if (!on) for (const { release } of held.splice(0)) release();
    },
    store: {
      ...store,
      apart: true,
      async commit(change) {
        if (holding)
          await new Promise<void>((resolve, reject) => {
            const release = (error?: Error) => (error === undefined ? resolve() : reject(error));
            held.push({ change, release });
          });
        return store.commit(change);
      },
    },
  };
}

/** Two logs on one store: `ours` pipelines, `theirs` is another process. */
async function setting() {
  const clock = handClock();
  const memory = openMemoryStore({ clock });
  const theirs = openLog(memory, clock, [tokenCount]);
  const id = await create(theirs);
  const { store, held, hold } = apart(memory);
  const ours = openLog(store, clock, [tokenCount]);
  const append = (text: string, guard?: Guard, keys?: string[]) =>
    ours.append(one({ stream: id, events: many(text), ...(guard === undefined ? {} : { guard }) }, keys));
  return { ours, theirs, id, held, hold, append };
}

/** The texts of a stream in order, each run once; and everything about it holds. */
async function runsOf(log: EventLog, id: StreamId): Promise<string[]> {
  const all = await readWhole(log, id, "own", 1_000);
  expect(seqs(all)).toEqual(all.map((_, i) => i + 1));
  const texts = all.flatMap((event) =>
    event.type === "agent.output.delta" ? [(event.data as { text: string }).text] : [],
  );
  expect((await log.verify(id)).broken).toEqual([]);
  expect(await log.row<{ count: number }>("token_count", id)).toMatchObject({ count: texts.length });
  return texts.filter((text, i) => text !== texts[i - 1]);
}

describe("a store that is given the next group while the last is under way", () => {
  it("keeps the order of appends that nobody waited for, whichever arrives first", async () => {
    const { ours, id, held, hold, append } = await setting();
    const appended = Promise.all(["a", "b", "c", "d"].map((text) => append(text)));
    await until(() => held.length === 2);
    expect(held.map(({ change }) => change.onto === undefined)).toEqual([true, false]);
    held.pop()?.release();
    await turn();
    hold(false);
    for (const answer of await appended) events(answer);
    expect(await runsOf(ours, id)).toEqual(["a", "b", "c", "d"]);
  });

  it.each([1, 300])("plans again when another process wrote %i events in between", async (count) => {
    const { ours, theirs, id, held, hold, append } = await setting();
    const appended = Promise.all(["a", "b", "c"].map((text) => append(text)));
    await until(() => held.length === 2);
    events(await theirs.append(one({ stream: id, events: many("x", count) })));
    hold(false);
    for (const answer of await appended) events(answer);
    expect(await runsOf(ours, id)).toEqual(["x", "a", "b", "c"]);
  });

  it("does not chain to events of others that have the numbers it foresaw", async () => {
    const { ours, theirs, id, held, hold, append } = await setting();
    const other = await create(theirs);
    // The first group ends up without its write to `id`, and yet its last event is there when the second arrives.
    const first = Promise.all([
      ours.append(one({ stream: id, events: many("a", 200), guard: { expectedSeq: 1 } })),
      ours.append(one({ stream: other, events: many("o", 200) })),
    ]);
    const second = append("b");
    await until(() => held.length === 2);
    const late = held.pop();
    events(await theirs.append(one({ stream: id, events: many("x", 200) })));
    held.pop()?.release();
    await until(() => held.length === 1);
    held.pop()?.release();
    expect((await first).map(refusal)).toEqual(["seq_conflict", "accepted"]);
    hold(false);
    late?.release();
    events(await second);
    expect(await runsOf(ours, id)).toEqual(["x", "b"]);
  });

  it("refuses nobody, and lets nobody have a key's name, for what may yet fail", async () => {
    const { ours, id, held, hold, append } = await setting();
    const failing = failureOf(append("a", undefined, ["k"]));
    let answered = 0;
    const guarded = append("b", { expectedSeq: 1 }, ["k"]).finally(() => (answered += 1));
    await until(() => held.length === 1);
    for (let i = 0; i < 50; i++) await turn();
    expect([held.length, answered]).toEqual([1, 0]);
    const [first] = held.splice(0);
    hold(false);
    first?.release(new Error("not this one"));
    expect(await failing).toContain("not this one");
    events(await guarded);
    expect(await runsOf(ours, id)).toEqual(["b"]);
    expect(refusal(await append("c", undefined, ["k"]))).toBe("key_taken");
  });

  it("gives a key to the first of two groups", async () => {
    const { ours, id, held, hold, append } = await setting();
    const both = Promise.all([append("a", undefined, ["k"]), append("b", undefined, ["k"])]);
    await until(() => held.length === 2);
    hold(false);
    expect((await both).map(refusal)).toEqual(["accepted", "key_taken"]);
    expect(await runsOf(ours, id)).toEqual(["a"]);
  });

  it("lets one append that the store cannot take fail alone", async () => {
    const clock = handClock();
    const memory = openMemoryStore({ clock });
    const poisoned: LogStore = {
      ...memory,
      apart: true,
      async commit(change) {
        await turn();
        if (change.events.some(({ body }) => body.includes("poison"))) throw new Error("cannot");
        return memory.commit(change);
      },
    };
    const log = openLog(poisoned, clock, [tokenCount]);
    const id = await create(log);
    const texts = Array.from({ length: 400 }, (_, i) => (i === 30 || i === 150 ? `poison${i}` : `${i}`));
    const answers = await Promise.allSettled(
      texts.map((text) => log.append(one({ stream: id, events: [token(text)] }))),
    );
    const failed = texts.filter((_, i) => answers[i]?.status === "rejected");
    expect(failed).toEqual(["poison30", "poison150"]);
    expect(await runsOf(log, id)).toEqual(texts.filter((text) => !text.startsWith("poison")));
  });

  it("fails what was under way when the store is away, and goes on after it", async () => {
    const { ours, id, held, hold, append } = await setting();
    const first = failureOf(append("a"));
    const rest = Promise.all([append("b"), append("c")]);
    await until(() => held.length === 2);
    const [lost] = held.splice(0, 1);
    hold(false);
    lost?.release(new FairleadError("store_unavailable"));
    expect(await first).toBe("store_unavailable");
    for (const answer of await rest) events(answer);
    expect(await runsOf(ours, id)).toEqual(["b", "c"]);
  });

  it("tells followers in the order of commits, though answers come in another", async () => {
    const clock = handClock();
    const memory = openMemoryStore({ clock });
    let slow: (() => void) | undefined;
    const store: LogStore = {
      ...memory,
      apart: true,
      async commit(change) {
        const result = await memory.commit(change);
        if (change.events.length > 1 && change.onto === undefined && slow === undefined)
          await new Promise<void>((resolve) => (slow = resolve));
        return result;
      },
    };
    const log = openLog(store, clock, []);
    const id = await create(log);
    const followed = take(log, id, 601);
    for (let i = 0; i < 20; i++) await turn();
    let answered = 0;
    const both = ["a", "b"].map((text) =>
      log.append(one({ stream: id, events: many(text) })).finally(() => (answered += 1)),
    );
    await until(() => slow !== undefined);
    for (let i = 0; i < 20; i++) await turn();
    expect(answered).toBe(0);
    slow?.();
    await Promise.all(both);
    expect(seqs(await followed)).toEqual(Array.from({ length: 601 }, (_, i) => i + 1));
    await log.close();
  });

  it("closes after what is under way", async () => {
    const { ours, id, held, hold, append, theirs } = await setting();
    const appended = Promise.all(["a", "b", "c"].map((text) => append(text)));
    await until(() => held.length === 2);
    const closed = ours.close();
    hold(false);
    for (const answer of await appended) events(answer);
    await closed;
    expect(await runsOf(theirs, id)).toEqual(["a", "b", "c"]);
  });
});

/** What becomes of one commit: how long it takes to get there and back, and whether it does. */
const fate = fc.record({
  there: fc.nat({ max: 6 }),
  back: fc.nat({ max: 6 }),
  fails: fc.oneof(
    { weight: 12, arbitrary: fc.constant("no" as const) },
    { weight: 1, arbitrary: fc.constantFrom("before" as const, "after" as const, "poison" as const) },
  ),
});
const step = fc.record({
  writer: fc.nat({ max: 1 }),
  streams: fc.uniqueArray(fc.nat({ max: 2 }), { minLength: 1, maxLength: 2 }),
  count: fc.constantFrom(1, 40, 300),
  lease: fc.nat({ max: 9 }).map((n) => n === 0),
  turns: fc.oneof(fc.constant(0), fc.nat({ max: 8 })),
});

it("keeps order, chain and rows, whatever happens to the commits of two processes", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 5, maxLength: 25 }),
      fc.array(fate, { minLength: 20, maxLength: 60 }),
      async (steps, fates) => {
        const clock = handClock();
        const memory = openMemoryStore({ clock });
        const reader = openLog(memory, clock, [tokenCount]);
        const ids = [await create(reader), await create(reader), await create(reader)];
        const logs = [0, 1].map(() => openLog(fateful(memory, fates.values()), clock, [tokenCount]));
        const accepted: string[] = [];
        const refused: string[] = [];
        const appends = steps.map(async ({ writer, streams, count, lease }, n) => {
          for (const before of steps.slice(0, n)) for (let i = 0; i < before.turns; i++) await turn();
          const log = logs[writer] as EventLog;
          const writes = streams.map((s) => ({
            stream: ids[s] as StreamId,
            events: many(`${writer}:${n}`, count),
          }));
          const appended = log.append({ writes });
          if (lease) await log.acquireLease(writes[0]?.stream as StreamId, "somebody", 0);
          const answer = await appended.catch(() => undefined);
          if (answer?.ok === false) refused.push(refusal(answer));
          if (answer?.ok === true) accepted.push(...streams.map((s) => `${s}/${writer}:${n}`));
        });
        await Promise.all(appends);
        const written: string[] = [];
        for (const [s, id] of ids.entries()) {
          const runs = await runsOf(reader, id);
          for (const writer of [0, 1]) {
            const own = runs.filter((run) => run.startsWith(`${writer}:`)).map((run) => Number(run.slice(2)));
            expect(own).toEqual(own.toSorted((a, b) => a - b));
          }
          written.push(...runs.map((run) => `${s}/${run}`));
        }
        expect(new Set(written).size).toBe(written.length);
        expect(accepted.filter((run) => !written.includes(run))).toEqual([]);
        expect(refused).toEqual([]);
      },
    ),
    { numRuns: 60 },
  );
}, 60_000);

function fateful(
  store: LogStore,
  fates: Iterator<typeof fate extends fc.Arbitrary<infer F> ? F : never>,
): LogStore {
  return {
    ...store,
    apart: true,
    async commit(change) {
      const { there, back, fails } = fates.next().value ?? { there: 0, back: 0, fails: "no" };
      for (let i = 0; i < there; i++) await turn();
      if (fails === "before") throw new FairleadError("store_unavailable");
      if (fails === "poison") throw new Error("cannot take it");
      const result = await store.commit(change);
      for (let i = 0; i < back; i++) await turn();
      if (fails === "after") throw new FairleadError("store_unavailable");
      return result;
    },
  };
}
