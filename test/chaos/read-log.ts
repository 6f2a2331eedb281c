import type { AnyEvent, StreamId } from "@fairlead/contract";
import { systemClock } from "../../packages/runtime/src/host/clock.ts";
import { systemIds } from "../../packages/runtime/src/host/ids.ts";
import { createEventLog } from "../../packages/runtime/src/log/event-log.ts";
import type { Broken, StreamInfo } from "../../packages/runtime/src/ports/event-log.ts";
import type { LogStore } from "../../packages/runtime/src/ports/log-store.ts";
import { openPostgresStore } from "../../packages/runtime/src/stores/postgres/open.ts";
import { openSqliteStore } from "../../packages/runtime/src/stores/sqlite/open.ts";
import type { Site } from "./site.ts";

/** All that a store holds, in the order of commits. */
export interface WholeLog {
  readonly events: readonly AnyEvent[];
  readonly streams: readonly Pick<StreamInfo, "id" | "kind" | "parent" | "base_seq" | "head_seq">[];
  readonly broken: readonly Broken[];
}

/** While no process has the site. */
export async function readLog({ store: choice }: Site): Promise<WholeLog> {
  const store = await openStore(choice);
  const log = createEventLog({ store, clock: systemClock, ids: systemIds(systemClock) });
  try {
    const events: AnyEvent[] = [];
    for (let after = 0; ;) {
      const page = await log.readAll({ after });
      if (page.events.length === 0) break;
      events.push(...page.events.map(({ event }) => event));
      after = page.next;
    }
    const ids = [...new Set(events.map(({ stream }) => stream))];
    const streams = await Promise.all(ids.map((id) => streamOf(log.stream(id as StreamId))));
    return { events, streams, broken: (await log.verify()).broken };
  } finally {
    await log.close();
  }
}

async function streamOf(found: Promise<StreamInfo | undefined>): Promise<StreamInfo> {
  const stream = await found;
  if (stream === undefined) throw new Error("events of no stream");
  return stream;
}

function openStore(choice: Site["store"]): Promise<LogStore> | LogStore {
  if (choice === "memory") throw new TypeError("nothing of it would be left");
  if ("sqlite" in choice) return openSqliteStore({ dir: choice.sqlite, clock: systemClock });
  return openPostgresStore({ url: choice.postgres });
}
