import type { DatabaseSync, StatementSync } from "node:sqlite";
import type { LogStore } from "../../ports/log-store.ts";
import type { FieldOrder, RowFilter, RowQuery } from "../../ports/row-query.ts";
import { cursorAfter, decodeCursor, type RowCursor } from "../cursor.ts";
import { inMarkOrder, type Part } from "../mark-order.ts";
import type { LateRows } from "./late-rows.ts";
import { filterSql, orderSql, type Sql } from "./row-tests.ts";

type Rows = Pick<LogStore, "loadRow" | "rows" | "count">;

interface Listed {
  readonly at: number;
  readonly id: string;
  readonly doc: string;
  readonly key?: string | number;
}

const MOST_KEPT = 200;
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
function after({ cursor, oldest }: RowQuery, order?: FieldOrder, key?: Sql): Sql[] {
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
const states = ({ state }: RowFilter): Sql[] =>
  state === undefined
    ? []
    : [{ text: "r.state IN (SELECT value FROM json_each(?))", values: [JSON.stringify(state)] }];

/** `held`: the streams that somebody holds. */
export function createRows(db: DatabaseSync, held: () => readonly string[], late: LateRows): Rows {
  const kept = new Map<string, StatementSync>();

  /** Lists have few shapes, and to prepare one costs more than to run it: they are kept, and begun anew when they are many. */
  function prepare(sql: string): StatementSync {
    const known = kept.get(sql);
    if (known !== undefined) return known;
    if (kept.size >= MOST_KEPT) kept.clear();
    const made = db.prepare(sql);
    kept.set(sql, made);
    return made;
  }

  function all(sql: string, ...values: readonly (string | number)[]): Listed[] {
    return late.read(() => prepare(sql).all(...values) as unknown as Listed[]);
  }

  /** Each state is its own walk along the index by state and time, so that a few among many are found at once. */
  function byTime(kind: string, query: RowQuery, limit: number): Listed[] {
    const where = [...conditions(query, held), ...after(query)];
    const way = query.oldest === true ? "ASC" : "DESC";
    // A plus keeps SQLite from walking along all of a kind where the few that are named can be looked up.
    const few = query.ids === undefined ? "" : "+";
    const each = query.state === undefined ? [undefined] : [...new Set(query.state)];
    if (each.length === 0) return [];
    const walks = each.map(
      (state) => `SELECT * FROM (SELECT r.at, r.id, r.doc ${FROM}
           WHERE r.kind = ?${state === undefined ? "" : " AND r.state = ?"}${joined(where)}
           ORDER BY ${few}r.at ${way}, ${few}r.id ${way} LIMIT ?)`,
    );
    const values = each.flatMap((state) => [
      kind,
      ...(state === undefined ? [] : [state]),
      ...valuesOf(where),
      limit + 1,
    ]);
    return all(`${walks.join(" UNION ALL ")} ORDER BY at ${way}, id ${way} LIMIT ?`, ...values, limit + 1);
  }

  /** Looks at every row that fits: there is no index for it. */
  function byField(kind: string, query: RowQuery, order: FieldOrder, limit: number): Listed[] {
    const key = orderSql(order);
    const where = [...states(query), ...conditions(query, held), ...after(query, order, key)];
    const way = query.oldest === true ? "ASC" : "DESC";
    const first = order.ascending === true ? "ASC" : "DESC";
    return all(
      `SELECT r.at, r.id, r.doc, ${key.text} AS key ${FROM} WHERE r.kind = ?${joined(where)}
         ORDER BY key ${first}, r.at ${way}, r.id ${way} LIMIT ?`,
      ...key.values,
      kind,
      ...valuesOf(where),
      limit + 1,
    );
  }

  /** A walk along the marks, each with its row; the rows that have none are looked for among all. */
  async function marked(
    { kind, mark, query }: { kind: string; mark: string; query: RowQuery },
    part: Part,
    from: RowCursor | undefined,
    limit: number,
  ): Promise<Listed[]> {
    const by = part === "marked" ? "m" : "r";
    const beyond = { text: `(${by}.at, ${by}.id) < (?, ?)`, values: [from?.at ?? 0, from?.id ?? ""] };
    const where = [...states(query), ...conditions(query, held), ...(from === undefined ? [] : [beyond])];
    const rows =
      part === "marked"
        ? "FROM rows m CROSS JOIN rows r ON r.id = m.id JOIN streams s ON s.id = r.stream WHERE m.kind = ?"
        : `${FROM} WHERE NOT EXISTS (SELECT 1 FROM rows m WHERE m.kind = ? AND m.id = r.id)`;
    return all(
      `SELECT ${by}.at, r.id, r.doc ${rows} AND r.kind = ?${joined(where)}
         ORDER BY ${by}.at DESC, ${by}.id DESC LIMIT ?`,
      mark,
      kind,
      ...valuesOf(where),
      limit,
    );
  }

  async function listed(kind: string, query: RowQuery, limit: number): Promise<readonly Listed[]> {
    const { order, cursor } = query;
    if (order === undefined) return byTime(kind, query, limit);
    if ("field" in order) return byField(kind, query, order, limit);
    const asked = { kind, mark: order.mark, query };
    return inMarkOrder(cursor, limit + 1, (...walk) => marked(asked, ...walk));
  }

  return {
    async loadRow(kind, id) {
      return late.doc(kind, id);
    },
    async rows(kind, query) {
      const limit = query.limit ?? 50;
      const found = await listed(kind, query, limit);
      return { rows: found.slice(0, limit).map((row) => row.doc), cursor: cursorAfter(found, limit) };
    },
    async count(kind, filter) {
      const where = [...states(filter), ...conditions(filter, held)];
      const counted = prepare(`SELECT count(*) AS found ${FROM} WHERE r.kind = ?${joined(where)}`);
      const found = late.read(() => counted.get(kind, ...valuesOf(where)));
      return Number(found?.["found"] ?? 0);
    },
  };
}
