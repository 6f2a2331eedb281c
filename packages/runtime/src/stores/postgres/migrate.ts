import type pg from "pg";
import { type Applied, pendingMigrations, readMigrations } from "../migrations.ts";

const MIGRATIONS = new URL("./migrations/", import.meta.url);

async function applied(client: pg.Client, schema: string): Promise<Applied[]> {
  const there = await client.query<{ found: boolean }>("select to_regclass($1) is not null as found", [
    `${schema}.migrations`,
  ]);
  if (there.rows[0]?.found !== true) return [];
  return (
    await client.query<Applied>(`select version, name, checksum from ${schema}.migrations order by version`)
  ).rows;
}

/**
 * Brings the schema up to date in one transaction under a lock: a second process waits, then finds the work done.
 * A schema that is up to date is only looked at. Throws `store_newer`.
 */
export async function migrate(client: pg.Client, schema: string): Promise<void> {
  const all = readMigrations(MIGRATIONS);
  if (pendingMigrations(all, await applied(client, schema)).length === 0) return;
  await client.query("begin");
  try {
    await client.query("select pg_advisory_xact_lock(hashtextextended('fairlead migrations ' || $1, 0))", [
      schema,
    ]);
    // Asked first, because `create schema if not exists` needs the right to make one even where it is there.
    const there = await client.query("select 1 from pg_namespace where nspname = $1", [schema]);
    if (there.rows.length === 0) await client.query(`create schema ${schema}`);
    await client.query(`set local search_path = ${schema}, pg_temp`);
    await client.query(
      "create table if not exists migrations (version int primary key, name text not null, checksum text not null, at timestamptz not null default now())",
    );
    for (const { version, name, sql, checksum } of pendingMigrations(all, await applied(client, schema))) {
      await client.query(sql);
      await client.query("insert into migrations (version, name, checksum) values ($1, $2, $3)", [
        version,
        name,
        checksum,
      ]);
    }
    await client.query("commit");
  } catch (error) {
    await client.query("rollback").catch(() => {});
    throw error;
  }
}
