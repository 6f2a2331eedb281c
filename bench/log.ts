import { type NewEvent, type SessionId, idMaker } from "@fairlead/contract";
import { createEventLog } from "../packages/runtime/src/log/event-log.ts";
import { frontendFrame } from "../packages/runtime/src/faces/frontend.ts";
import type { EventLog } from "../packages/runtime/src/ports/event-log.ts";
import { interleaved, rate, round, summary, table } from "./measure.ts";
import { type Opened, postgresFloor, sqliteFloor } from "./log-floor.ts";

const STREAMS = 64;
const IN_FLIGHT = 256;
const PAIRS = 5;
const APPENDS = 20_000;
const PRESENT = 1_000_000;
const PAGE = 1_000;

const clock = { now: () => Date.now() };
const next = idMaker({ now: clock.now, random: Math.random });

/** About 300 bytes as stored. */
function sample(n: number): NewEvent<"agent.output.delta"> {
  return {
    type: "agent.output.delta",
    turn_id: "trn_01k5m2q8x4h7zc9v3b6n0wd1ra",
    agent_id: "fairlead",
    data: { text: `${n} a few words of an answer, as a model streams them`.slice(0, 58) },
  };
}

async function openStreams(log: EventLog): Promise<SessionId[]> {
  const ids = Array.from({ length: STREAMS }, () => next("session"));
  for (const id of ids) {
    const spec = { owner: "user", kind: "chat", project: null, broadcast: false, created_by: null } as const;
    await log.append({
      writes: [
        {
          stream: id,
          create: spec,
          events: [{ type: "runtime.session.state", data: { session_id: id, status: "idle" } }],
        },
      ],
    });
  }
  return ids;
}

/** 256 appends in flight, one event each, every one acknowledged. */
async function append(log: EventLog, streams: readonly SessionId[], count: number): Promise<void> {
  let left = count;
  await Promise.all(
    Array.from({ length: IN_FLIGHT }, async (_, writer) => {
      const stream = streams[writer % streams.length] as SessionId;
      while (left > 0) {
        left -= 1;
        const answer = await log.append({ writes: [{ stream, events: [sample(left)] }] });
        if (!answer.ok) throw new Error(answer.refusal.message);
      }
    }),
  );
}

/** Every event of every stream through the frontend face to JSON. */
async function replay(log: EventLog, streams: readonly SessionId[]): Promise<number> {
  let count = 0;
  for (const stream of streams) {
    for (let after: number | null = 0; after !== null;) {
      const page = await log.read(stream, { after, limit: PAGE });
      for (const event of page.events) if (JSON.stringify(frontendFrame(event)).length > 0) count += 1;
      after = page.next;
    }
  }
  return count;
}

/** Two logs of one database: one that grows to a million events, one that starts empty when the first is full. */
async function measure(name: string, { store, fresh, floor }: Opened): Promise<Record<string, number>> {
  const log = createEventLog({ store, clock, ids: { next } });
  const streams = await openStreams(log);
  await append(log, streams, 2_000);
  await floor.append(2_000);
  const appends = summary(
    await interleaved(
      PAIRS,
      () => rate(APPENDS, () => append(log, streams, APPENDS)),
      () => rate(APPENDS, () => floor.append(APPENDS)),
    ),
  );
  const reads = summary(
    await interleaved(
      PAIRS,
      () => timed(() => replay(log, streams)),
      () => timed(() => floor.replay()),
    ),
  );

  console.error(`${name}: filling up to ${PRESENT} events …`);
  await append(log, streams, PRESENT - APPENDS * PAIRS - 2_000);
  const young = createEventLog({ store: await fresh(), clock, ids: { next } });
  const youngStreams = await openStreams(young);
  const growth = summary(
    await interleaved(
      PAIRS,
      () => rate(APPENDS, () => append(log, streams, APPENDS)),
      () => rate(APPENDS, () => append(young, youngStreams, APPENDS)),
    ),
  );
  await young.close();
  await log.close();
  return {
    append_per_s: round(appends.ours),
    raw_per_s: round(appends.raw),
    ratio: round(appends.ratio, 2),
    replay_per_s: round(reads.ours),
    replay_ratio: round(reads.ratio, 2),
    growth_ratio: round(growth.ratio, 2),
  };
}

async function timed(work: () => Promise<number>): Promise<number> {
  const started = performance.now();
  const count = await work();
  return (count / (performance.now() - started)) * 1000;
}

export async function log(): Promise<Record<string, unknown>> {
  const results: Record<string, Record<string, number>> = {};
  for (const [name, open] of [
    ["sqlite", sqliteFloor],
    ["postgres", postgresFloor],
  ] as const) {
    const opened = await open(clock);
    results[name] = await measure(name, opened);
    await opened.close();
  }
  const columns = ["append_per_s", "raw_per_s", "ratio", "replay_per_s", "replay_ratio", "growth_ratio"];
  table(
    ["store", ...columns],
    Object.entries(results).map(([name, result]) => [name, ...columns.map((column) => result[column] ?? "")]),
  );
  return { bench: "log", ...results };
}
