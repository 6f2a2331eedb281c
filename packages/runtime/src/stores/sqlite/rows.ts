import type { DatabaseSync } from "node:sqlite";
import type { LogStore } from "../../ports/log-store.ts";
import type { RowFilter, RowQuery } from "../../ports/row-query.ts";
import { cursorAfter, decodeCursor } from "../cursor.ts";
import { filterSql, FOLD, orderSql, type Sql } from "./row-tests.ts";

type Rows = Pick<LogStore, "loadRow" | "rows" | "count">;

interface Listed {
  readonly at: number;
  readonly id: string;
  readonly doc: string;
  readonly key?: string | number;
}

const FROM = "FROM rows r JOIN streams s ON s.id = r.stream";

/** Each condition with the values it needs; a missing one filters nothing. */
function conditions(query: RowFilter, held: () => readonly string[]): Sql[] {
  const { owner = "user", project, created_by } = query.scope ?? {};
  const found: Sql[] = [...filterSql(query)];
  const is = (text: string, value: string | undefined): void => {
    if (value !== undefined) found.push({ text: `${text} = ?`, values: [value] });
  };
  is("s.owner", owner === "any" ? undefined : owner);
  is("s.project", project);
  is("s.created_by", created_by);
  is("r.stream", query.stream);
  if (query.unheld === true)
    found.push({
      text: "r.stream NOT IN (SELECT value FROM json_each(?))",
      values: [JSON.stringify(held())],
    });
  return found;
}

/** What lies after the cursor, in the order that is asked for. */
function after({ cursor, oldest, order }: RowQuery, key: Sql | undefined): Sql[] {
  if (cursor === undefined) return [];
  const beyond = oldest === true ? ">" : "<";
  const from = decodeCursor(cursor, order === undefined ? undefined : keyType(order.otherwise));
  const byTime = `(r.at, r.id) ${beyond} (?, ?)`;
  if (order === undefined || key === undefined) return [{ text: byTime, values: [from.at, from.id] }];
  const further = order.ascending === true ? ">" : "<";
  const value = from.key as string | number;
  return [
    {
      text: `(${key.text} ${further} ? OR (${key.text} = ? AND ${byTime}))`,
      values: [...key.values, value, ...key.values, value, from.at, from.id],
    },
  ];
}

function keyType(value: string | number): "string" | "number" {
  return typeof value === "number" ? "number" : "string";
}

const joined = (parts: readonly Sql[]): string => parts.map(({ text }) => ` AND ${text}`).join("");
const valuesOf = (parts: readonly Sql[]): (string | number)[] => parts.flatMap(({ values }) => [...values]);
const oneOf = (states: readonly string[]): Sql => ({
  text: "r.state IN (SELECT value FROM json_each(?))",
  values: [JSON.stringify(states)],
});

/** `held`: the streams that somebody holds. */
export function createRows(db: DatabaseSync, held: () => readonly string[]): Rows {
  const one = db.prepare("SELECT doc FROM rows WHERE kind = ? AND id = ?");
  db.function(FOLD, { deterministic: true }, (text) => String(text ?? "").toLowerCase());

  /** Each state is its own walk along the index by state and time, so that a few among many are found at once. */
  function byTime(kind: string, query: RowQuery, limit: number): Listed[] {
    const where = [...conditions(query, held), ...after(query, undefined)];
    const way = query.oldest === true ? "ASC" : "DESC";
    const states = query.state === undefined ? [undefined] : [...new Set(query.state)];
    if (states.length === 0) return [];
    const walks = states.map(
      (state) => `SELECT * FROM (SELECT r.at, r.id, r.doc ${FROM}
           WHERE r.kind = ?${state === undefined ? "" : " AND r.state = ?"}${joined(where)}
           ORDER BY r.at ${way}, r.id ${way} LIMIT ?)`,
    );
    const values = states.flatMap((state) => [
      kind,
      ...(state === undefined ? [] : [state]),
      ...valuesOf(where),
      limit + 1,
    ]);
    return db
      .prepare(`${walks.join(" UNION ALL ")} ORDER BY at ${way}, id ${way} LIMIT ?`)
      .all(...values, limit + 1) as unknown as Listed[];
  }

  /** Looks at every row that fits: there is no index for it. */
  function byOrder(kind: string, query: RowQuery, key: Sql, limit: number): Listed[] {
    const states = query.state === undefined ? [] : [oneOf(query.state)];
    const where = [...states, ...conditions(query, held), ...after(query, key)];
    const way = query.oldest === true ? "ASC" : "DESC";
    const first = query.order?.ascending === true ? "ASC" : "DESC";
    return db
      .prepare(
        `SELECT r.at, r.id, r.doc, ${key.text} AS key ${FROM} WHERE r.kind = ?${joined(where)}
         ORDER BY key ${first}, r.at ${way}, r.id ${way} LIMIT ?`,
      )
      .all(...key.values, kind, ...valuesOf(where), limit + 1) as unknown as Listed[];
  }

  return {
    async loadRow(kind, id) {
      return one.get(kind, id)?.["doc"] as string | undefined;
    },
    async rows(kind, query) {
      const limit = query.limit ?? 50;
      const found =
        query.order === undefined
          ? byTime(kind, query, limit)
          : byOrder(kind, query, orderSql(query.order), limit);
      return { rows: found.slice(0, limit).map((row) => row.doc), cursor: cursorAfter(found, limit) };
    },
    async count(kind, filter) {
      const states = filter.state === undefined ? [] : [oneOf(filter.state)];
      const where = [...states, ...conditions(filter, held)];
      const found = db
        .prepare(`SELECT count(*) AS found ${FROM} WHERE r.kind = ?${joined(where)}`)
        .get(kind, ...valuesOf(where));
      return Number(found?.["found"] ?? 0);
    },
  };
}
