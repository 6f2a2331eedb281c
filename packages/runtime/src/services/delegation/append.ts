import type { Append, Appended, EventLog, StreamWrite } from "../../ports/event-log.ts";

const GONE: ReadonlySet<string> = new Set(["session_purged", "session_not_found"]);

/**
 * One commit over several streams. Word for a session that is gone is left out: nobody waits there any more, and who
 * speaks must not be stopped by it.
 */
export function appendBeside(
  log: Pick<EventLog, "append">,
  own: StreamWrite,
  others: readonly StreamWrite[],
  keys: readonly string[] = [],
): Promise<Appended> {
  return others.length === 0
    ? log.append(appendOf([own], keys))
    : appendJoined(log, own, joined(others), keys);
}

async function appendJoined(
  log: Pick<EventLog, "append">,
  own: StreamWrite,
  others: readonly StreamWrite[],
  keys: readonly string[],
): Promise<Appended> {
  for (let left = others; ;) {
    const appended = await log.append(appendOf([own, ...left], keys));
    if (appended.ok || !GONE.has(appended.refusal.code)) return appended;
    const gone = appended.refusal.details?.["stream"];
    const rest = left.filter(({ stream }) => stream !== gone);
    if (gone === own.stream || rest.length === left.length) return appended;
    left = rest;
  }
}

function appendOf(writes: readonly StreamWrite[], keys: readonly string[]): Append {
  return keys.length === 0 ? { writes } : { writes, keys };
}

/** The log takes one write for a stream. */
function joined(writes: readonly StreamWrite[]): readonly StreamWrite[] {
  const byStream = new Map<string, StreamWrite>();
  for (const write of writes) {
    const before = byStream.get(write.stream);
    const events = [...(before?.events ?? []), ...write.events];
    byStream.set(write.stream, { ...before, ...write, events });
  }
  return [...byStream.values()];
}
