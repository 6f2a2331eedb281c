import { randomBytes } from "node:crypto";
import pg from "pg";
import { inject } from "vitest";

declare module "vitest" {
  export interface ProvidedContext {
    /** Where a test worker asks for the run's shared server, which starts when the first one asks. */
    readonly postgresBroker: string;
  }
}

let shared: Promise<string> | undefined;

/** The URL of the one server that all test files of this run share. */
export function startPostgres(): Promise<string> {
  shared ??= fetch(inject("postgresBroker")).then(async (answer) => {
    const text = await answer.text();
    if (!answer.ok) throw new Error(text);
    return text;
  });
  return shared;
}

/** One statement by a connection of its own. */
export async function runSql<R extends pg.QueryResultRow>(
  url: string,
  sql: string,
  values: unknown[] = [],
): Promise<R[]> {
  const client = new pg.Client({ connectionString: url });
  client.on("error", () => {});
  await client.connect();
  try {
    return (await client.query<R>(sql, values)).rows;
  } finally {
    await client.end();
  }
}

/** The URL of a new, empty database on the given server, or on the shared one. It goes with the server. */
export async function freshDatabase(server?: string): Promise<string> {
  const url = new URL(server ?? (await startPostgres()));
  const name = `t_${randomBytes(6).toString("hex")}`;
  await runSql(url.href, `create database ${name}`);
  url.pathname = `/${name}`;
  return url.href;
}
