import type pg from "pg";
import { setTimeout as sleep } from "node:timers/promises";
import type { LogStore } from "../../ports/log-store.ts";
import { type Database, timed } from "./database.ts";
import { createFrontier } from "./frontier.ts";
import { parseNotice } from "./notice.ts";

type Listener = Parameters<LogStore["watch"]>[0];

const ANSWER_MS = 5_000;
const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 1_000;
/** What the table shows may be told a moment later: notices and answers come over other connections. */
const GRACE_MS = 100;
/** How long others go on telling one that is no longer heard of: so many polls, but not less than this. */
const LISTENS_POLLS = 5;
const LISTENS_LEAST_MS = 30_000;

export interface WatchOptions {
  /** Whose notices are our own. */
  readonly writer: string;
  /** How often to look whether a notice is missing. */
  readonly pollMs: number;
}

/**
 * Listens on a connection of its own, from the first `watch` on, and says so in the table of listeners: writers tell
 * only if somebody else is there. The table of events is the truth and notices only wake: after each time the
 * connection was away, and whenever a position was neither told by others nor committed here (a proxy may swallow
 * notices, or our place among the listeners was lost), everybody is told to look at all.
 */
export function createWatch(
  db: Database,
  { writer, pollMs }: WatchOptions,
): Pick<LogStore, "watch"> & { committed(first: number, last: number): void; close(): Promise<void> } {
  const { schema } = db.target;
  const listeners = new Set<Listener>();
  const listensMs = Math.max(LISTENS_LEAST_MS, LISTENS_POLLS * pollMs);
  let running: Promise<void> | undefined;
  // Not the greatest position told: one commit that was not told would hide behind the next that was.
  const told = createFrontier();

  function tell(streams: Parameters<Listener>[0]): void {
    for (const listener of listeners) listener(streams);
  }

  function onNotice(payload: string): void {
    const { first, last, writer: by, streams } = parseNotice(payload);
    if (by === writer) return;
    if (first > 0) told.add(first, last);
    tell(streams);
  }

  async function positionBy(client: pg.Client, call: string, values: unknown[]): Promise<number> {
    const query = timed({ text: `select ${schema}.${call} as pos`, values }, ANSWER_MS);
    return (await client.query<{ pos: number }>(query)).rows[0]?.pos ?? 0;
  }

  const keepListening = (client: pg.Client) =>
    positionBy(client, "keep_listening($1, $2)", [writer, listensMs]);

  async function pause(ms: number): Promise<void> {
    await sleep(ms, undefined, { signal: db.closed }).catch(() => {});
  }

  /** Returns when the store closes; throws when the connection is lost. */
  async function listen(client: pg.Client, onListening: () => void): Promise<void> {
    client.on("notification", ({ payload }) => onNotice(payload ?? ""));
    await client.connect();
    await client.query(timed({ text: `listen fairlead_${schema}` }, ANSWER_MS));
    await keepListening(client);
    // Who writes after this has seen that we listen, and what was written before can be read.
    told.moveTo(await positionBy(client, "await_writers()", []));
    onListening();
    tell(null);
    while (!db.closed.aborted) {
      await pause(pollMs);
      if (db.closed.aborted) break;
      // Also how a connection that died in silence is noticed.
      const pos = await keepListening(client);
      if (pos > told.at) await pause(GRACE_MS);
      if (pos <= told.at) continue;
      told.moveTo(pos);
      tell(null);
    }
    const leave = { text: `delete from ${schema}.listeners where writer = $1`, values: [writer] };
    await client.query(timed(leave, ANSWER_MS));
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
    committed(first, last) {
      if (running !== undefined) told.add(first, last);
    },
    async close() {
      await running;
    },
  };
}
