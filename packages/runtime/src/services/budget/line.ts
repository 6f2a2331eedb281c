import type { EventLog } from "../../ports/event-log.ts";

const lines = new WeakMap<EventLog, Map<string, Promise<unknown>>>();

/**
 * One after another within this process, for each account: otherwise of many that take at once each commit lets one
 * through and sends all others back. The guard of the append still decides, since other processes take too.
 */
export function inLine<T>(log: EventLog, account: string, work: () => Promise<T>): Promise<T> {
  const line = lines.get(log) ?? new Map<string, Promise<unknown>>();
  lines.set(log, line);
  const done = (line.get(account) ?? Promise.resolve()).then(work);
  const over: Promise<unknown> = done
    .catch(() => {})
    .then(() => {
      if (line.get(account) === over) line.delete(account);
    });
  line.set(account, over);
  return done;
}
