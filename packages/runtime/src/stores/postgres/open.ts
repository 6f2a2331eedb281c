import { FairleadError } from "@fairlead/contract";
import { randomBytes } from "node:crypto";
import pg from "pg";
import type { LogStore } from "../../ports/log-store.ts";
import { createAppend } from "./append.ts";
import { type Target, makeClient, openDatabase, parseTarget } from "./database.ts";
import { createLeases } from "./leases.ts";
import { createLookups } from "./lookups.ts";
import { migrate } from "./migrate.ts";
import { createRead } from "./read.ts";
import { retrying } from "./retry.ts";
import { createRows } from "./rows.ts";
import { createStreams } from "./streams.ts";
import { createWatch } from "./watch.ts";

const OLDEST_MAJOR = 14;
const PING_MS = 2_000;

export interface PostgresOptions {
  /** `postgres://USER:PASSWORD@HOST:PORT/DATABASE`, with `?sslmode=…` and the like as the driver takes them. */
  readonly url: string;
  /** The schema that holds the tables; made if missing. Defaults to `fairlead`. */
  readonly schema?: string;
  /** Most connections for reads and leases, beside two for commits and one that listens. */
  readonly readers?: number;
  /** How long to try to reach a server that is not there yet. */
  readonly openLimitMs?: number;
  /** How long a commit is tried again while the server is away, before its outcome is given up as unknown. */
  readonly commitLimitMs?: number;
  /** How long a read is tried again, before whoever asked hears that the store is away. */
  readonly readLimitMs?: number;
  /** How often to look for commits whose notices did not arrive. */
  readonly pollMs?: number;
}

/** Throws `bad_request` for a bad address, `store_unavailable` when the server cannot be used, `store_newer` when a newer program wrote it. */
export async function openPostgresStore(options: PostgresOptions): Promise<LogStore> {
  const {
    readers = 4,
    openLimitMs = 5_000,
    commitLimitMs = 30_000,
    readLimitMs = 10_000,
    pollMs = 1_000,
  } = options;
  const target = parseTarget(options.url, options.schema ?? "fairlead");
  await retrying(() => prepare(target), {
    store: target.name,
    limitMs: openLimitMs,
    closed: new AbortController().signal,
  });

  const writer = randomBytes(8).toString("hex");
  const db = openDatabase(target, { readers, readLimitMs });
  const watch = createWatch(db, { writer, pollMs });
  const append = createAppend(db, { writer, commitLimitMs, committed: watch.committed });
  let closing: Promise<void> | undefined;

  return {
    name: target.name,
    apart: true,
    alone: false,
    commit: append.commit,
    ...createRead(db),
    ...createStreams(db, writer),
    ...createRows(db),
    ...createLookups(db),
    ...createLeases(db),
    watch: watch.watch,
    async ping() {
      const [answer] = await db.ask<{ writable: boolean }>({
        text: "select not pg_is_in_recovery() and current_setting('default_transaction_read_only') = 'off' as writable",
        timeoutMs: PING_MS,
        limitMs: PING_MS,
      });
      if (answer?.writable !== true) {
        throw new FairleadError("store_unavailable", {
          message: `${target.name} takes no writes: it is a standby or set to read only.`,
        });
      }
    },
    close() {
      closing ??= (async () => {
        await append.close();
        await db.close();
        await watch.close();
      })();
      return closing;
    },
  };
}

/** Is it a server that we can use, and does it hold what we need? */
async function prepare(target: Target): Promise<void> {
  const client = makeClient(target);
  try {
    await client.connect();
    const { rows } = await client.query<{ version: string; encoding: string }>(
      "select current_setting('server_version_num') as version, current_setting('server_encoding') as encoding",
    );
    const major = Math.floor(Number(rows[0]?.version) / 10_000);
    if (major < OLDEST_MAJOR)
      throw unusable(target, `it runs PostgreSQL ${major}, and ${OLDEST_MAJOR} or newer is needed`);
    if (rows[0]?.encoding !== "UTF8")
      throw unusable(target, `its encoding is ${rows[0]?.encoding}; make a database with encoding UTF8`);
    await migrate(client, target.schema);
  } catch (error) {
    if (error instanceof pg.DatabaseError && error.code === "42501") {
      throw unusable(
        target,
        `${error.message}. The role must own the schema ${target.schema} or be allowed to create it`,
        error,
      );
    }
    throw error;
  } finally {
    await client.end().catch(() => {});
  }
}

function unusable(target: Target, why: string, cause?: unknown): FairleadError {
  return new FairleadError("store_unavailable", { message: `${target.name} cannot be used: ${why}.`, cause });
}
