import type pg from "pg";
import { setTimeout as sleep } from "node:timers/promises";
import type { LogStore } from "../../ports/log-store.ts";
import { type Database, timed } from "./database.ts";
import { parseNotice } from "./notice.ts";

type Listener = Parameters<LogStore["watch"]>[0];

const ANSWER_MS = 5_000;
const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 1_000;

export interface WatchOptions {
  /** Whose notices are our own. */
  readonly writer: string;
  /** How often to look whether a notice is missing. */
  readonly pollMs: number;
}

/**
 * Listens on a connection of its own, from the first `watch` on. The table is the truth and notices only wake: after
 * each time the connection was away, and whenever the table has gone further than the notices told (a proxy may
 * swallow them), everybody is told to look at all.
 */
export function createWatch(
  db: Database,
  { writer, pollMs }: WatchOptions,
): Pick<LogStore, "watch"> & { close(): Promise<void> } {
  const { schema } = db.target;
  const listeners = new Set<Listener>();
  let running: Promise<void> | undefined;
  /** Notices come in commit order, our own too, so this is how far they are complete. */
  let told = 0;

  function tell(streams: Parameters<Listener>[0]): void {
    for (const listener of listeners) listener(streams);
  }

  function onNotice(payload: string): void {
    const notice = parseNotice(payload);
    told = Math.max(told, notice.pos);
    if (notice.writer !== writer) tell(notice.streams);
  }

  async function newest(client: pg.Client): Promise<number> {
    const query = timed({ text: `select coalesce(max(pos), 0) as pos from ${schema}.events` }, ANSWER_MS);
    return (await client.query<{ pos: number }>(query)).rows[0]?.pos ?? 0;
  }

  async function pause(ms: number): Promise<void> {
    await sleep(ms, undefined, { signal: db.closed }).catch(() => {});
  }

  /** Returns, or throws, when the connection is lost. */
  async function listen(client: pg.Client, onListening: () => void): Promise<void> {
    client.on("notification", ({ payload }) => onNotice(payload ?? ""));
    await client.connect();
    await client.query(timed({ text: `listen fairlead_${schema}` }, ANSWER_MS));
    told = await newest(client);
    onListening();
    tell(null);
    while (!db.closed.aborted) {
      await pause(pollMs);
      // Also how a connection that died in silence is noticed.
      const pos = db.closed.aborted ? told : await newest(client);
      if (pos <= told) continue;
      told = pos;
      tell(null);
    }
  }

  async function run(): Promise<void> {
    let rest = FIRST_PAUSE_MS;
    while (!db.closed.aborted) {
      const client = db.client();
      const lost = new Promise<void>((resolve) => void client.once("end", () => resolve()));
      const listening = listen(client, () => void (rest = FIRST_PAUSE_MS));
      await Promise.race([lost, listening]).catch(() => {});
      listening.catch(() => {});
      await client.end().catch(() => {});
      await pause(rest);
      rest = Math.min(rest * 2, LONGEST_PAUSE_MS);
    }
  }

  return {
    watch(listener) {
      listeners.add(listener);
      running ??= run();
      return () => void listeners.delete(listener);
    },
    async close() {
      await running;
    },
  };
}
