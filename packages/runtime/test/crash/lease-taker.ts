// A process that takes the lease of a stream again and again, each time appends under it, and says which epoch it
// had once that was acknowledged. Runs until it is killed.
import { type SessionId, idMaker } from "@fairlead/contract";
import { writeSync } from "node:fs";
import { createEventLog } from "../../src/log/event-log.ts";
import { token } from "../../src/ports/event-log.contract/support.ts";
import { openSqliteStore } from "../../src/stores/sqlite/open.ts";

const [dir, stream] = process.argv.slice(2) as [string, SessionId];
const clock = { now: () => Date.now() };
const next = idMaker({ now: clock.now, random: Math.random });
const log = createEventLog({ store: openSqliteStore({ dir, clock }), clock, ids: { next } });

for (;;) {
  const lease = await log.acquireLease(stream, next("attempt"), 60_000);
  if (lease === undefined) throw new Error("the lease is held");
  const { epoch } = lease;
  const answer = await log.append({ writes: [{ stream, events: [token("a")], guard: { epoch } }] });
  if (!answer.ok) throw new Error(answer.refusal.message);
  writeSync(1, `${epoch}\n`);
  await log.releaseLease(lease);
}
