import { setTimeout as sleep } from "node:timers/promises";
import type { AnyEvent, FaceName, SessionId } from "@fairlead/contract";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { StoreChoice } from "../../src/create-runtime.ts";
import { FACES } from "../../src/faces/index.ts";
import { temporaryFolder } from "../stores.ts";
import { freshDatabase } from "../support/postgres.ts";
import { delta, type Frame, openSse, type Site, startSite } from "./support.ts";

let site: Site;
let folder: ReturnType<typeof temporaryFolder>;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(async () => {
  await site.close();
  folder.remove();
});

const usage = { type: "agent.usage", data: { input_tokens: 1, output_tokens: 1, total_tokens: 2 } } as const;

/** Same numbers each run, so that a failure can be looked at. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return state / 0x7fffffff;
  };
}

/** What one connection went through: the numbers after `from`, up to `to`, on one face. */
interface Pass {
  readonly face: FaceName;
  readonly from: number;
  readonly to: number;
}

interface Followed {
  /** The data of each frame by its number. */
  readonly kept: Map<number, string>;
  readonly passes: readonly Pass[];
}

/**
 * A client that drops its connection whenever it likes, comes back with the last id it saw, each
 * time on whichever face, and keeps what it was given.
 */
async function follow(
  path: string,
  seed: number,
  done: (id: number) => boolean,
  faces: readonly FaceName[],
): Promise<Followed> {
  const roll = random(seed);
  const kept = new Map<number, string>();
  const passes: Pass[] = [];
  let cursor = 0;
  for (;;) {
    const face = faces[Math.floor(roll() * faces.length)]!;
    const from = cursor;
    const resume: Record<string, string> = cursor === 0 ? {} : { "last-event-id": String(cursor) };
    const stream = await openSse(site, `${path}?face=${face}`, { headers: resume });
    expect(stream.response.status).toBe(200);
    const patience = 1 + Math.floor(roll() * 60);
    let read = 0;
    const take = (frames: readonly Frame[]): boolean => {
      for (; read < frames.length; read++) {
        if (read >= patience) return true;
        const { id, data } = frames[read]!;
        const at = Number(id);
        // In order, and nothing twice, over all connections.
        expect(at).toBeGreaterThan(cursor);
        cursor = at;
        if (data !== null) kept.set(at, data);
      }
      return done(cursor);
    };
    await stream.until(take);
    stream.close();
    passes.push({ face, from, to: cursor });
    if (done(cursor)) return { kept, passes };
  }
}

async function write(sessions: readonly SessionId[], count: number): Promise<void> {
  const roll = random(count);
  for (let i = 0; i < count; i++) {
    const stream = sessions[Math.floor(roll() * sessions.length)]!;
    const events = Array.from({ length: 1 + Math.floor(roll() * 8) }, (_, n) =>
      roll() < 0.1 ? usage : delta(`${i}.${n}`),
    );
    const done = await site.runtime.log.append({ writes: [{ stream, events }] });
    expect(done.ok).toBe(true);
    if (i % 10 === 0) await sleep(1);
  }
}

async function wholeLog(session: SessionId): Promise<AnyEvent[]> {
  const events: AnyEvent[] = [];
  for (let after: number | null = 0; after !== null;) {
    const page = await site.runtime.log.read(session, { after, limit: 500 });
    events.push(...page.events);
    after = page.next;
  }
  return events;
}

const stores: readonly (readonly [name: string, choice: () => Promise<StoreChoice>])[] = [
  ["memory", async () => "memory"],
  ["SQLite", async () => ({ sqlite: folder.path })],
  ["PostgreSQL", async () => ({ postgres: await freshDatabase() })],
];

describe.each(stores)("over %s", (_name, choice) => {
  test("readers that drop at random, changing faces, end with exactly the log", async () => {
    site = await startSite({ store: await choice() });
    const session = await site.session();
    let head = Number.POSITIVE_INFINITY;
    const done = (id: number): boolean => id >= head;
    const path = `/sessions/${session}/events/stream`;
    const faces: readonly FaceName[][] = [
      ["frontend"],
      ["runtime"],
      ["frontend", "runtime"],
      ["runtime", "frontend"],
    ];
    const readers = faces.map((some, i) => follow(path, i + 1, done, some));
    const late = sleep(100).then(() => follow(path, 99, done, ["frontend", "runtime"]));
    await write([session], 300);
    head = (await site.runtime.log.read(session)).head_seq + 1;
    // A last one that both faces show, so that every reader sees the end.
    await site.write(session, 1, "end ");
    const events = await wholeLog(session);
    for (const { kept, passes } of await Promise.all([...readers, late])) {
      const due = passes.flatMap(({ face, from, to }) =>
        events
          .filter(({ seq }) => seq > from && seq <= to)
          .map((event) => [event.seq, FACES[face](event)] as const)
          .filter(([, frame]) => frame !== null),
      );
      expect(passes.at(-1)?.to).toBe(events.length);
      // Neither more nor less than the face shows that the reader was on at that point.
      expect([...kept].map(([seq, data]) => [seq, JSON.parse(data)])).toEqual(due);
    }
  });

  test("the same for the feed of all sessions", async () => {
    site = await startSite({ store: await choice() });
    const sessions = [await site.session(), await site.session(), await site.session()];
    let last = Number.POSITIVE_INFINITY;
    const done = (id: number): boolean => id >= last;
    const readers = [1, 2, 3].map((seed) => follow("/events/stream", seed, done, ["frontend"]));
    await write(sessions, 200);
    await site.write(sessions[0]!, 1, "end ");
    let next = 0;
    const all: { pos: number; event: AnyEvent }[] = [];
    for (;;) {
      const page = await site.runtime.log.readAll({ after: next, limit: 1000 });
      if (page.events.length === 0) break;
      all.push(...page.events);
      next = page.next;
    }
    last = next;
    await site.write(sessions[0]!, 1, "after ");
    const shown = all.filter(({ event }) => event.stream !== "system" && FACES.frontend(event) !== null);
    for (const { kept } of await Promise.all(readers)) {
      const upTo = [...kept].filter(([pos]) => pos <= next);
      expect(upTo.map(([pos]) => pos)).toEqual(shown.map(({ pos }) => pos));
      expect(upTo.map(([, data]) => JSON.parse(data))).toEqual(
        shown.map(({ event }) => FACES.frontend(event)),
      );
    }
  });
});

test("a restart of the server in between changes nothing", async () => {
  site = await startSite({ store: { sqlite: folder.path } });
  const session = await site.session();
  await site.write(session, 50);
  const first = await openSse(site, `/sessions/${session}/events/stream`);
  await first.until((frames) => frames.length >= 20);
  const cursor = first.frames[19]!.id!;
  await site.close();
  await first.ended;
  site = await startSite({ store: { sqlite: folder.path } });
  await site.write(session, 10);
  const second = await openSse(site, `/sessions/${session}/events/stream`, {
    headers: { "last-event-id": cursor },
  });
  await second.until((frames) => frames.length >= 41);
  expect(second.frames.map(({ id }) => Number(id))).toEqual(Array.from({ length: 41 }, (_, i) => i + 21));
});
