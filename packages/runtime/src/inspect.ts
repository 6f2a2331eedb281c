// Looks at stores without opening them for work: for whoever wants to know what is wrong.
export type { PostgresInspection } from "./stores/postgres/inspect.ts";
export { inspectPostgres, postgresName } from "./stores/postgres/inspect.ts";
export type { Inspection } from "./stores/sqlite/inspect.ts";
export { inspectSqlite } from "./stores/sqlite/inspect.ts";
