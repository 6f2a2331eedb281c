import type { RowQuery } from "../../ports/event-log.ts";
import type { LogStore } from "../../ports/log-store.ts";
import { type RowCursor, cursorAfter, decodeCursor } from "../cursor.ts";
import type { Database } from "./database.ts";

interface Listed extends RowCursor {
  readonly doc: string;
}

/** Conditions on a row `r` and its stream `s`; `place` takes a value and gives its number in the statement. */
function conditions(query: RowQuery, place: (value: unknown) => string): string[] {
  const { owner = "user", project, created_by } = query.scope ?? {};
  const found: string[] = [];
  if (owner !== "any") found.push(`s.owner = ${place(owner)}`);
  if (project !== undefined) found.push(`s.project = ${place(project)}`);
  if (created_by !== undefined) found.push(`s.created_by = ${place(created_by)}`);
  if (query.stream !== undefined) found.push(`s.id = ${place(query.stream)}`);
  if (query.cursor !== undefined) {
    const { at, id } = decodeCursor(query.cursor);
    const beyond = query.oldest === true ? ">" : "<";
    found.push(`(r.at, r.id) ${beyond} (${place(at)}::bigint, ${place(id)}::text)`);
  }
  if (query.unheld === true) found.push("(s.lease_until is null or s.lease_until <= clock_timestamp())");
  return found;
}

export function createRows({ ask, target: { schema } }: Database): Pick<LogStore, "loadRow" | "rows"> {
  const one = { name: "load_row", text: `select doc from ${schema}.rows where kind = $1 and id = $2` };

  /** Each state is its own walk along the index by state and time, so that a few pending among many done are found at once. */
  function listing(kind: string, query: RowQuery, limit: number): { text: string; values: unknown[] } {
    const values: unknown[] = [];
    const place = (value: unknown) => `$${values.push(value)}`;
    const where = [`r.kind = ${place(kind)}`, ...conditions(query, place)];
    const way = query.oldest === true ? "asc" : "desc";
    const order = `order by r.at ${way}, r.id ${way} limit ${place(limit + 1)}`;
    const from = `select r.at, r.id, r.doc from ${schema}.rows r join ${schema}.streams s on s.no = r.stream`;
    if (query.state === undefined) return { text: `${from} where ${where.join(" and ")} ${order}`, values };
    const states = place([...new Set(query.state)]);
    const walk = `${from} where r.state = w.state and ${where.join(" and ")} ${order}`;
    return {
      text: `select r.* from unnest(${states}::text[]) as w (state), lateral (${walk}) as r ${order}`,
      values,
    };
  }

  return {
    loadRow: async (kind, id) => (await ask<{ doc: string }>({ ...one, values: [kind, id] }))[0]?.doc,
    async rows(kind, query) {
      const limit = query.limit ?? 50;
      const found = await ask<Listed>(listing(kind, query, limit));
      return { rows: found.slice(0, limit).map((row) => row.doc), cursor: cursorAfter(found, limit) };
    },
  };
}
