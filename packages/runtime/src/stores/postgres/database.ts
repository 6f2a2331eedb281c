import { FairleadError } from "@fairlead/contract";
import { setMaxListeners } from "node:events";
import pg from "pg";
import { retrying } from "./retry.ts";

export interface Target {
  /** `postgres (host/db)`: never the password. */
  readonly name: string;
  readonly url: string;
  readonly schema: string;
}

/** The database as the parts of the store see it. */
export interface Database {
  readonly target: Target;
  /** Aborted when the store closes. */
  readonly closed: AbortSignal;
  /** A connection of one's own, not yet connected; its errors are also its `end`. */
  client(): pg.Client;
  /** One statement on any connection, tried again while the server is away. Only for what may be asked twice. */
  ask<R extends pg.QueryResultRow>(query: Question): Promise<R[]>;
}

interface Question {
  /** Prepared once a connection. Leave out where the shape varies. */
  readonly name?: string;
  readonly text: string;
  readonly values?: readonly unknown[];
  /** How long one answer may take. */
  readonly timeoutMs?: number;
  /** How long to go on trying. */
  readonly limitMs?: number;
}

const ANSWER_MS = 30_000;
const CONNECT_MS = 5_000;
const SCHEMA = /^[a-z_][a-z0-9_]{0,39}$/;

/** Throws `bad_request`. The text is not echoed: it may hold a password. */
export function parseTarget(text: string, schema: string): Target {
  if (!SCHEMA.test(schema)) {
    throw new FairleadError("bad_request", {
      message: `The schema name ${JSON.stringify(schema)} must be lower case letters, digits and _.`,
    });
  }
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !["postgres:", "postgresql:"].includes(url.protocol)) {
    throw new FairleadError("bad_request", {
      message: "The database must be given as postgres://USER:PASSWORD@HOST:PORT/DATABASE.",
    });
  }
  const host = url.host || url.searchParams.get("host") || "localhost";
  return { name: `postgres (${host}${url.pathname})`, url: text, schema };
}

/** `bigint` columns are counters of ours and fit a number; all else as the driver does it. */
const types = {
  getTypeParser: ((oid: number, format?: "text" | "binary") =>
    oid === pg.types.builtins.INT8
      ? Number
      : pg.types.getTypeParser(oid, format as "text")) as typeof pg.types.getTypeParser,
};

function clientConfig(target: Target): pg.ClientConfig {
  return {
    connectionString: target.url,
    types,
    keepAlive: true,
    connectionTimeoutMillis: CONNECT_MS,
    application_name: "fairlead",
  };
}

export function makeClient(target: Target): pg.Client {
  const client = new pg.Client(clientConfig(target));
  // Without a listener the process would end; the query under way, or the next, hears of it.
  client.on("error", () => {});
  return client;
}

/**
 * For every connection. What is acknowledged is on disk, whatever the server's default. Every question here is a walk
 * along an index that stops at its limit: a plan made while a table was small must not read it whole when it is large.
 */
const SESSION = `
  select set_config('synchronous_commit', 'on', false) where current_setting('synchronous_commit') = 'off';
  set enable_seqscan = off; set enable_bitmapscan = off; set enable_sort = off; set enable_hashjoin = off; set enable_mergejoin = off;`;

export async function prepareSession(client: pg.ClientBase): Promise<void> {
  await client.query(timed({ text: SESSION }, CONNECT_MS));
}

/** The driver gives up the answer, and whoever asked gives up the connection. */
export function timed(query: pg.QueryConfig, timeoutMs: number): pg.QueryConfig & { query_timeout: number } {
  return { ...query, query_timeout: timeoutMs };
}

export interface DatabaseOptions {
  readonly readers: number;
  readonly readLimitMs: number;
}

export function openDatabase(
  target: Target,
  options: DatabaseOptions,
): Database & { close(): Promise<void> } {
  const closing = new AbortController();
  // While the server is away, every question that waits listens to it.
  setMaxListeners(0, closing.signal);
  const pool = new pg.Pool({
    ...clientConfig(target),
    max: options.readers,
    idleTimeoutMillis: 60_000,
    onConnect: prepareSession,
  });
  pool.on("error", () => {});
  return {
    target,
    closed: closing.signal,
    client: () => makeClient(target),
    ask<R extends pg.QueryResultRow>({
      timeoutMs = ANSWER_MS,
      limitMs = options.readLimitMs,
      values = [],
      ...query
    }: Question) {
      const asked = timed({ ...query, values: [...values] }, timeoutMs);
      const attempt = async () => (await pool.query<R>(asked)).rows;
      return retrying(attempt, { store: target.name, limitMs, closed: closing.signal });
    },
    async close() {
      closing.abort();
      await pool.end();
    },
  };
}
