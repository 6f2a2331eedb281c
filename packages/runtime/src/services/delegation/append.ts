import type { Append, Appended, EventLog, StreamWrite } from "../../ports/event-log.ts";

const GONE: ReadonlySet<string> = new Set(["session_purged", "session_not_found"]);

/**
 * One commit over several streams. Word for a session that is gone is left out: nobody waits there any more, and who
 * speaks must not be stopped by it.
 */
export async function appendBeside(
  log: Pick<EventLog, "append">,
  own: StreamWrite,
  others: readonly StreamWrite[],
  keys: readonly string[] = [],
): Promise<Appended> {
  let left = joined(others);
  for (;;) {
    const append: Append = { writes: [own, ...left], ...(keys.length === 0 ? {} : { keys }) };
    const appended = await log.append(append);
    if (appended.ok || !GONE.has(appended.refusal.code)) return appended;
    const gone = appended.refusal.details?.["stream"];
    const rest = left.filter(({ stream }) => stream !== gone);
    if (gone === own.stream || rest.length === left.length) return appended;
    left = rest;
  }
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
