import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import pg from "pg";
import type { Clock } from "../packages/runtime/src/ports/clock.ts";
import type { LogStore } from "../packages/runtime/src/ports/log-store.ts";
import { openPostgresStore } from "../packages/runtime/src/stores/postgres/open.ts";
import { openSqliteStore } from "../packages/runtime/src/stores/sqlite/open.ts";
import { startPostgresServer } from "../packages/runtime/test/support/postgres-server.ts";

/** The bare driver: what the database can do with nothing on top, in batches of 100, each durable. */
export interface Floor {
  append(count: number): Promise<void>;
  /** Select and parse all that was appended; returns how many. */
  replay(): Promise<number>;
}

export interface Opened {
  readonly store: LogStore;
  /** A second, empty store in the same place. */
  fresh(): Promise<LogStore>;
  readonly floor: Floor;
  close(): Promise<void>;
}

const STREAMS = 64;
const BATCH = 100;
const PAGE = 1_000;

/** The same bytes that the log stores for its sample event. */
const BODY = JSON.stringify({
  id: "evt_01k5m2q8x4h7zc9v3b6n0wd1ra",
  at: "2026-01-01T00:00:00.000Z",
  type: "agent.output.delta",
  v: 1,
  turn_id: "trn_01k5m2q8x4h7zc9v3b6n0wd1ra",
  agent_id: "fairlead",
  cause: null,
  owner: "agent",
  data: { text: "12345 a few words of an answer, as a model streams them".padEnd(58, ".") },
});

/** The next (stream, seq) of each row to write. */
function counter(): () => [stream: number, seq: number] {
  let n = 0;
  return () => {
    n += 1;
    return [n % STREAMS, Math.floor(n / STREAMS)];
  };
}

export async function sqliteFloor(clock: Clock): Promise<Opened> {
  const dir = mkdtempSync(join(tmpdir(), "fairlead-bench-"));
  const db = new DatabaseSync(join(dir, "raw.db"));
  db.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA cache_size = -65536; PRAGMA wal_autocheckpoint = 10000;
    CREATE TABLE raw (pos INTEGER PRIMARY KEY, stream INTEGER NOT NULL, seq INTEGER NOT NULL, body TEXT NOT NULL, UNIQUE (stream, seq)) STRICT`);
  const insert = db.prepare("INSERT INTO raw (stream, seq, body) VALUES (?, ?, ?)");
  const select = db.prepare("SELECT seq, body FROM raw WHERE stream = ? AND seq > ? ORDER BY seq LIMIT ?");
  const place = counter();
  const store = openSqliteStore({ dir: join(dir, "log"), clock });
  return {
    store,
    fresh: async () => openSqliteStore({ dir: join(dir, "fresh"), clock }),
    floor: {
      async append(count) {
        for (let done = 0; done < count; done += BATCH) {
          db.exec("BEGIN IMMEDIATE");
          for (let i = 0; i < BATCH; i++) insert.run(...place(), BODY);
          db.exec("COMMIT");
        }
      },
      async replay() {
        return pages(
          async (stream, after) =>
            select.all(stream, after, PAGE) as unknown as { seq: number; body: string }[],
        );
      },
    },
    async close() {
      db.close();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

export async function postgresFloor(): Promise<Opened> {
  const server = await startPostgresServer();
  const client = new pg.Client({ connectionString: server.url });
  await client.connect();
  await client.query(
    "CREATE TABLE raw (pos bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, stream bigint NOT NULL, seq bigint NOT NULL, body text NOT NULL, UNIQUE (stream, seq))",
  );
  const place = counter();
  const store = await openPostgresStore({ url: server.url });
  return {
    store,
    fresh: () => openPostgresStore({ url: server.url, schema: "fresh" }),
    floor: {
      async append(count) {
        for (let done = 0; done < count; done += BATCH) {
          const places = Array.from({ length: BATCH }, place);
          await client.query({
            name: "raw-append",
            text: "INSERT INTO raw (stream, seq, body) SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::text[])",
            values: [places.map(([stream]) => stream), places.map(([, seq]) => seq), places.map(() => BODY)],
          });
        }
      },
      async replay() {
        return pages(async (stream, after) => {
          const found = await client.query({
            name: "raw-read",
            text: "SELECT seq, body FROM raw WHERE stream = $1 AND seq > $2 ORDER BY seq LIMIT $3",
            values: [stream, after, PAGE],
          });
          return found.rows as { seq: number; body: string }[];
        });
      },
    },
    async close() {
      await client.end();
      await server.stop();
    },
  };
}

async function pages(
  read: (stream: number, after: number) => Promise<readonly { seq: number; body: string }[]>,
): Promise<number> {
  let count = 0;
  for (let stream = 0; stream < STREAMS; stream++) {
    for (let after = -1; ;) {
      const page = await read(stream, after);
      for (const row of page) if (JSON.parse(row.body) !== null) count += 1;
      const last = page.at(-1);
      if (last === undefined) break;
      after = Number(last.seq);
    }
  }
  return count;
}
