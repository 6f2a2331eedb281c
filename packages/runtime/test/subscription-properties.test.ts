import type { AnyEvent, SessionId } from "@fairlead/contract";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { EventLog, Positioned } from "../src/ports/event-log.ts";
import {
  type StoreKind,
  branch,
  create,
  handClock,
  one,
  openLog,
  readWhole,
  token,
} from "../src/ports/event-log.contract/support.ts";
import { memory, postgres, sqlite } from "./stores.ts";

/** One follower: where it starts, and after how many events each of its connections drops. */
interface Follower {
  readonly start: number;
  readonly drops: readonly number[];
  /** Turns of the event loop it waits between batches: a slow one falls behind the tail. */
  readonly pause: number;
}

const follower: fc.Arbitrary<Follower> = fc.record({
  start: fc.nat({ max: 30 }),
  drops: fc.array(fc.integer({ min: 1, max: 60 }), { maxLength: 6 }),
  pause: fc.constantFrom(0, 0, 1, 5),
});

const scenario = fc.record({
  before: fc.integer({ min: 1, max: 40 }),
  bursts: fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 12 }),
  followers: fc.array(follower, { minLength: 1, maxLength: 5 }),
});

const turn = () => new Promise<void>((resolve) => void setImmediate(resolve));

/** Follows with drops: each time it comes back with the cursor of the last event it took. */
async function followWithDrops<Item>(
  plan: Follower,
  from: number,
  count: number,
  open: (after: number, signal: AbortSignal) => AsyncIterable<readonly Item[]>,
  at: (item: Item) => number,
): Promise<Item[]> {
  const taken: Item[] = [];
  const drops = [...plan.drops];
  let cursor = from;
  while (taken.length < count) {
    const connection = new AbortController();
    const budget = drops.shift() ?? Number.POSITIVE_INFINITY;
    let seen = 0;
    for await (const batch of open(cursor, connection.signal)) {
      for (const item of batch.slice(0, budget - seen)) {
        taken.push(item);
        cursor = at(item);
        seen += 1;
      }
      for (let i = 0; i < plan.pause; i++) await turn();
      if (seen >= budget || taken.length >= count) break;
    }
    connection.abort();
  }
  return taken;
}

async function writeBursts(log: EventLog, id: SessionId, bursts: readonly number[]): Promise<void> {
  for (const burst of bursts) {
    await Promise.all(
      Array.from({ length: burst }, (_, i) => log.append(one({ stream: id, events: [token(`${i}`)] }))),
    );
    await turn();
  }
}

function subscriptionProperties(kind: StoreKind, numRuns: number): void {
  describe(`followers that drop at random, over a log being written, on ${kind.name}`, () => {
    const withLog = async (property: (log: EventLog) => Promise<void>) => {
      const site = await kind.newSite();
      const clock = handClock();
      const log = openLog(await site.open(clock), clock);
      try {
        await property(log);
      } finally {
        await log.close();
        await site.destroy();
      }
    };

    it("end with exactly the stream", () =>
      withLog(async (log) =>
        fc.assert(
          fc.asyncProperty(scenario, async ({ before, bursts, followers }) => {
            const id = await create(log, before);
            const total = before + bursts.reduce((sum, burst) => sum + burst, 0);
            const open = (after: number, signal: AbortSignal) => log.subscribe(id, { after, signal });
            const following = followers.map((plan) =>
              followWithDrops<AnyEvent>(
                plan,
                Math.min(plan.start, before),
                total - Math.min(plan.start, before),
                open,
                (event) => event.seq,
              ),
            );
            await writeBursts(log, id, bursts);
            const whole = await readWhole(log, id, "own", 1_000);
            for (const [i, taken] of (await Promise.all(following)).entries()) {
              expect(taken).toEqual(whole.slice(Math.min(followers[i]?.start ?? 0, before)));
            }
          }),
          { numRuns },
        ),
      ));

    it("end with exactly a branch's whole history", () =>
      withLog(async (log) =>
        fc.assert(
          fc.asyncProperty(scenario, async ({ before, bursts, followers }) => {
            const parent = await create(log, before + 5);
            const id = await branch(log, parent, before);
            const total = before + 1 + bursts.reduce((sum, burst) => sum + burst, 0);
            const open = (after: number, signal: AbortSignal) =>
              log.subscribe(id, { after, signal, history: "full" });
            const following = followers.map((plan) =>
              followWithDrops<AnyEvent>(
                plan,
                Math.min(plan.start, before),
                total - Math.min(plan.start, before),
                open,
                (event) => event.seq,
              ),
            );
            await Promise.all([writeBursts(log, id, bursts), writeBursts(log, parent, bursts)]);
            const whole = await readWhole(log, id, "full", 1_000);
            for (const [i, taken] of (await Promise.all(following)).entries()) {
              expect(taken).toEqual(whole.slice(Math.min(followers[i]?.start ?? 0, before)));
            }
          }),
          { numRuns: Math.ceil(numRuns / 2) },
        ),
      ));

    it("end with exactly the order of commits", () =>
      withLog(async (log) =>
        fc.assert(
          fc.asyncProperty(scenario, async ({ bursts, followers }) => {
            const start = await lastPosition(log);
            const ids = [await create(log), await create(log)] as const;
            const open = (after: number, signal: AbortSignal) => log.subscribeAll({ after, signal });
            const total = 2 * (1 + bursts.reduce((sum, burst) => sum + burst, 0));
            const following = followers.map((plan) =>
              followWithDrops<Positioned>(plan, start, total, open, (item) => item.pos),
            );
            await Promise.all(ids.map((id) => writeBursts(log, id, bursts)));
            const whole = await readAll(log, start);
            for (const taken of await Promise.all(following)) expect(taken).toEqual(whole);
          }),
          { numRuns: Math.ceil(numRuns / 2) },
        ),
      ));
  });
}

async function readAll(log: EventLog, after: number): Promise<Positioned[]> {
  const page = await log.readAll({ after, limit: 1_000 });
  return page.events.length === 0 ? [] : [...page.events, ...(await readAll(log, page.next))];
}

async function lastPosition(log: EventLog): Promise<number> {
  return (await readAll(log, 0)).at(-1)?.pos ?? 0;
}

subscriptionProperties(memory, 60);
subscriptionProperties(sqlite, 30);
subscriptionProperties(postgres, 8);
