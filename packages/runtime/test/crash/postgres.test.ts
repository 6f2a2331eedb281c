import { setTimeout as sleep } from "node:timers/promises";
import type { SessionId } from "@fairlead/contract";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { EventLog } from "../../src/ports/event-log.ts";
import { create, one, openLog, token } from "../../src/ports/event-log.contract/support.ts";
import { openPostgresStore } from "../../src/stores/postgres/open.ts";
import { type PostgresServer, startPostgresServer } from "../support/postgres-server.ts";
import { type Acknowledged, expectWhole } from "./acknowledged.ts";

const ROUNDS = 4;
const WRITERS = 24;
const clock = { now: () => Date.now() };

let server: PostgresServer;
beforeAll(async () => {
  // Flushes to disk, unlike the server that other tests share.
  server = await startPostgresServer();
});
afterAll(() => server?.stop());

it("loses and doubles nothing when PostgreSQL itself is killed with -9 and comes back", async () => {
  const open = async () => openLog(await openPostgresStore({ url: server.url }), clock);
  const logs = [await open(), await open()] as [EventLog, EventLog];
  const streams = await Promise.all(Array.from({ length: 8 }, () => create(logs[0])));
  const acknowledged: Acknowledged[] = [];
  const texts = new Map<string, number>();
  let running = true;

  async function write(log: EventLog, writer: number): Promise<void> {
    const stream = streams[writer % streams.length] as SessionId;
    for (let n = 0; running; n++) {
      const answer = await log.append(
        one({ stream, events: [token(`${writer}/${n}`), token(`${writer}/${n}+`)] }),
      );
      if (!answer.ok) throw new Error(answer.refusal.message);
      acknowledged.push(...answer.events.map((event) => ({ stream, seq: event.seq, id: event.id })));
    }
  }

  const writers = Array.from({ length: WRITERS }, (_, i) => write(logs[i % 2] as EventLog, i));
  for (let round = 0; round < ROUNDS; round++) {
    await sleep(200 + Math.random() * 300);
    await server.kill();
    await sleep(Math.random() * 300);
    await server.start();
  }
  await sleep(300);
  running = false;
  await Promise.all(writers);

  const stored = await expectWhole(logs[1], streams, acknowledged);
  // The store knew the outcome of every append in the end, so nothing is there that was not acknowledged.
  expect(stored).toBe(acknowledged.length + streams.length);
  for (const stream of streams) {
    for (const event of (await logs[0].read(stream, { limit: 1_000 })).events) {
      const text = `${stream} ${(event.data as { text?: string }).text}`;
      texts.set(text, (texts.get(text) ?? 0) + 1);
    }
  }
  expect([...texts].filter(([, times]) => times > 1)).toEqual([]);
  expect(acknowledged.length).toBeGreaterThan(WRITERS * ROUNDS);
  await Promise.all(logs.map((log) => log.close()));
}, 120_000);
