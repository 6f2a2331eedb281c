import { type SessionId, type StreamId } from "@fairlead/contract";
import { expect } from "vitest";
import type { EventLog } from "../../src/ports/event-log.ts";
import { readWhole } from "../../src/ports/event-log.contract/support.ts";

export interface Acknowledged {
  readonly stream: StreamId;
  readonly seq: number;
  readonly id: string;
}

/** Nothing that was acknowledged is missing; no gap, no duplicate; the chain holds. */
export async function expectWhole(
  log: EventLog,
  streams: readonly SessionId[],
  acknowledged: readonly Acknowledged[],
): Promise<number> {
  const stored = new Map<string, string>();
  const ids = new Set<string>();
  for (const stream of streams) {
    const events = await readWhole(log, stream, "own", 1_000);
    expect(events.map((event) => event.seq)).toEqual(Array.from({ length: events.length }, (_, i) => i + 1));
    for (const event of events) {
      stored.set(`${stream} ${event.seq}`, event.id);
      ids.add(event.id);
    }
  }
  expect(ids.size).toBe(stored.size);
  const lost = acknowledged.filter(({ stream, seq, id }) => stored.get(`${stream} ${seq}`) !== id);
  expect(lost).toEqual([]);
  expect(new Set(acknowledged.map(({ id }) => id)).size).toBe(acknowledged.length);
  expect((await log.verify()).broken).toEqual([]);
  return stored.size;
}
