// A process that appends from many writers until it is killed. It says what was acknowledged, one
// line each, by a write that does not wait: a line that is out was acknowledged before.
import { type SessionId, idMaker } from "@fairlead/contract";
import { writeSync } from "node:fs";
import { createEventLog } from "../../src/log/event-log.ts";
import { token } from "../../src/ports/event-log.contract/support.ts";
import { openSqliteStore } from "../../src/stores/sqlite/open.ts";

const [dir, list, writers] = process.argv.slice(2) as [string, string, string];
const streams = list.split(",") as SessionId[];
const clock = { now: () => Date.now() };
const next = idMaker({ now: clock.now, random: Math.random });
const log = createEventLog({ store: openSqliteStore({ dir, clock }), clock, ids: { next } });

async function write(stream: SessionId, other: SessionId): Promise<never> {
  for (;;) {
    const answer = await log.append({
      writes: [
        { stream, events: [token("a"), token("b")] },
        ...(other === stream ? [] : [{ stream: other, events: [token("c")] }]),
      ],
    });
    if (!answer.ok) throw new Error(answer.refusal.message);
    writeSync(1, `${answer.events.map((event) => `${event.stream} ${event.seq} ${event.id}`).join("\n")}\n`);
  }
}

writeSync(1, "ready\n");
await Promise.all(
  Array.from({ length: Number(writers) }, (_, i) =>
    write(streams[i % streams.length] as SessionId, streams[(i * 3 + 1) % streams.length] as SessionId),
  ),
);
