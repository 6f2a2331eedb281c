import type { LogStore } from "../../ports/log-store.ts";
import type { FieldOrder, RowFilter, RowQuery } from "../../ports/row-query.ts";
import { type RowCursor, cursorAfter, decodeCursor } from "../cursor.ts";
import { inMarkOrder, type Part } from "../mark-order.ts";
import type { Database } from "./database.ts";
import { filterSql, orderSql } from "./row-tests.ts";

interface Listed extends RowCursor {
  readonly doc: string;
}

interface Statement {
  readonly text: string;
  readonly values: unknown[];
}

/** Conditions on a row `r` and its stream `s`; `place` takes a value and gives its number in the statement. */
function conditions(query: RowFilter, rows: string, place: (value: unknown) => string): string[] {
  const { owner = "user", project, created_by } = query.scope ?? {};
  const found: string[] = filterSql(query, rows, place);
  if (owner !== "any") found.push(`s.owner = ${place(owner)}`);
  if (project !== undefined) found.push(`s.project = ${place(project)}`);
  if (created_by !== undefined) found.push(`s.created_by = ${place(created_by)}`);
  if (query.stream !== undefined) found.push(`s.id = ${place(query.stream)}`);
  if (query.unheld === true) found.push("(s.lease_until is null or s.lease_until <= clock_timestamp())");
  return found;
}

/** What lies after the cursor, in the order that is asked for. */
function after(
  { cursor, oldest }: RowQuery,
  place: (value: unknown) => string,
  order?: FieldOrder,
  key?: string,
): string[] {
  if (cursor === undefined) return [];
  const isNumber = typeof order?.otherwise === "number";
  const from = decodeCursor(cursor, order === undefined ? undefined : isNumber ? "number" : "string");
  const byTime = `(r.at, r.id) ${oldest === true ? ">" : "<"} (${place(from.at)}::bigint, ${place(from.id)}::text)`;
  if (key === undefined) return [byTime];
  const value = `${place(from.key)}::${isNumber ? "double precision" : "text"}`;
  return [`(${key} ${order?.ascending === true ? ">" : "<"} ${value} or (${key} = ${value} and ${byTime}))`];
}

export function createRows({
  ask,
  target: { schema },
}: Database): Pick<LogStore, "loadRow" | "rows" | "count"> {
  const rows = `${schema}.rows`;
  const joined = `from ${rows} r join ${schema}.streams s on s.no = r.stream`;
  const one = { name: "load_row", text: `select doc from ${rows} where kind = $1 and id = $2` };

  /** Each state is its own walk along the index by state and time, so that a few pending among many done are found at once. */
  function byTime(kind: string, query: RowQuery, limit: number): Statement {
    const values: unknown[] = [];
    const place = (value: unknown) => `$${values.push(value)}`;
    const where = [`r.kind = ${place(kind)}`, ...conditions(query, rows, place), ...after(query, place)];
    const way = query.oldest === true ? "asc" : "desc";
    const order = `order by r.at ${way}, r.id ${way} limit ${place(limit + 1)}`;
    const from = `select r.at, r.id, r.doc ${joined}`;
    if (query.state === undefined) return { text: `${from} where ${where.join(" and ")} ${order}`, values };
    const states = place([...new Set(query.state)]);
    const walk = `${from} where r.state = w.state and ${where.join(" and ")} ${order}`;
    return {
      text: `select r.* from unnest(${states}::text[]) as w (state), lateral (${walk}) as r ${order}`,
      values,
    };
  }

  /** Looks at every row that fits: there is no index for it. */
  function byField(kind: string, query: RowQuery, order: FieldOrder, limit: number): Statement {
    const values: unknown[] = [];
    const place = (value: unknown) => `$${values.push(value)}`;
    const key = orderSql(order, place);
    const where = [
      `r.kind = ${place(kind)}`,
      ...inStates(query, place),
      ...conditions(query, rows, place),
      ...after(query, place, order, key),
    ];
    const way = query.oldest === true ? "asc" : "desc";
    const first = order.ascending === true ? "asc" : "desc";
    const text = `select r.at, r.id, r.doc, ${key} as key ${joined} where ${where.join(" and ")}
      order by key ${first}, r.at ${way}, r.id ${way} limit ${place(limit + 1)}`;
    return { text, values };
  }

  /** A walk along the marks, each with its row; the rows that have none are looked for among all. */
  function marked(
    { kind, mark, query }: { kind: string; mark: string; query: RowQuery },
    part: Part,
    from: RowCursor | undefined,
    limit: number,
  ): Statement {
    const values: unknown[] = [];
    const place = (value: unknown) => `$${values.push(value)}`;
    const by = part === "marked" ? "m" : "r";
    const beyond =
      from === undefined
        ? []
        : [`(${by}.at, ${by}.id) < (${place(from.at)}::bigint, ${place(from.id)}::text)`];
    const where = [
      `r.kind = ${place(kind)}`,
      ...inStates(query, place),
      ...conditions(query, rows, place),
      ...beyond,
    ];
    const walked =
      part === "marked"
        ? `from ${rows} m join ${rows} r on r.id = m.id join ${schema}.streams s on s.no = r.stream where m.kind = ${place(mark)}`
        : `${joined} where not exists (select from ${rows} m where m.kind = ${place(mark)} and m.id = r.id)`;
    const text = `select ${by}.at, r.id, r.doc ${walked} and ${where.join(" and ")}
      order by ${by}.at desc, ${by}.id desc limit ${place(limit)}`;
    return { text, values };
  }

  async function listed(kind: string, query: RowQuery, limit: number): Promise<readonly Listed[]> {
    const { order, cursor } = query;
    if (order === undefined) return ask<Listed>(byTime(kind, query, limit));
    if ("field" in order) return ask<Listed>(byField(kind, query, order, limit));
    const asked = { kind, mark: order.mark, query };
    return inMarkOrder(cursor, limit + 1, (...walk) => ask<Listed>(marked(asked, ...walk)));
  }

  function inStates({ state }: RowFilter, place: (value: unknown) => string): string[] {
    return state === undefined ? [] : [`r.state = any(${place(state)}::text[])`];
  }

  return {
    loadRow: async (kind, id) => (await ask<{ doc: string }>({ ...one, values: [kind, id] }))[0]?.doc,
    async rows(kind, query) {
      const limit = query.limit ?? 50;
      const found = await listed(kind, query, limit);
      return { rows: found.slice(0, limit).map((row) => row.doc), cursor: cursorAfter(found, limit) };
    },
    async count(kind, filter) {
      const values: unknown[] = [];
      const place = (value: unknown) => `$${values.push(value)}`;
      const where = [
        `r.kind = ${place(kind)}`,
        ...inStates(filter, place),
        ...conditions(filter, rows, place),
      ];
      const text = `select count(*)::int as found ${joined} where ${where.join(" and ")}`;
      return (await ask<{ found: number }>({ text, values }))[0]?.found ?? 0;
    },
  };
}
