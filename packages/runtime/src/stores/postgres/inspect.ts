import { readMigrations } from "../migrations.ts";
import { makeClient, parseTarget } from "./database.ts";

const MIGRATIONS = new URL("./migrations/", import.meta.url);

export interface PostgresInspection {
  readonly name: string;
  readonly version: string;
  /** The last migration it has; null when there is no store yet. */
  readonly schema: number | null;
  /** The last migration that this program knows. */
  readonly known: number;
  /** The database's clock, in milliseconds. */
  readonly now: number;
}

/** The name of the database, without its password. Throws `bad_request`. */
export function postgresName(url: string): string {
  return parseTarget(url, "fairlead").name;
}

/** Looks without making or migrating anything. Rejects with the driver's error when it cannot be reached. */
export async function inspectPostgres(url: string): Promise<PostgresInspection> {
  const target = parseTarget(url, "fairlead");
  const known = readMigrations(MIGRATIONS).length;
  const client = makeClient(target);
  try {
    await client.connect();
    const { rows } = await client.query<{ version: string; now: Date; there: boolean }>(
      "select current_setting('server_version') as version, now() as now, to_regclass($1) is not null as there",
      [`${target.schema}.migrations`],
    );
    const { version = "?", now, there } = rows[0] ?? {};
    const applied = there
      ? await client.query<{ version: number | null }>(
          `select max(version) as version from ${target.schema}.migrations`,
        )
      : { rows: [] };
    const schema = applied.rows[0]?.version ?? null;
    return { name: target.name, version, schema, known, now: now?.getTime() ?? 0 };
  } finally {
    await client.end().catch(() => {});
  }
}
