import type { DatabaseSync } from "node:sqlite";
import type { RowQuery } from "../../ports/event-log.ts";
import type { LogStore } from "../../ports/log-store.ts";
import { cursorAfter, decodeCursor } from "../cursor.ts";

type Rows = Pick<LogStore, "loadRow" | "rows">;

interface Listed {
  readonly at: number;
  readonly id: string;
  readonly doc: string;
}

/** Each condition with the value it needs; a missing one filters nothing. */
function conditions(query: RowQuery, held: () => readonly string[]): [string, string | number][] {
  const scope = query.scope ?? {};
  const found: [string, string | number][] = [];
  const owner = scope.owner ?? "user";
  if (owner !== "any") found.push(["s.owner = ?", owner]);
  if (scope.project !== undefined) found.push(["s.project = ?", scope.project]);
  if (scope.created_by !== undefined) found.push(["s.created_by = ?", scope.created_by]);
  if (query.stream !== undefined) found.push(["r.stream = ?", query.stream]);
  if (query.cursor !== undefined) {
    const { at, id } = decodeCursor(query.cursor);
    found.push([`(r.at, r.id) ${query.oldest === true ? ">" : "<"} (?, `, at], ["?)", id]);
  }
  if (query.unheld === true)
    found.push(["r.stream NOT IN (SELECT value FROM json_each(?))", JSON.stringify(held())]);
  return found;
}

/** `held`: the streams that somebody holds. */
export function createRows(db: DatabaseSync, held: () => readonly string[]): Rows {
  const one = db.prepare("SELECT doc FROM rows WHERE kind = ? AND id = ?");
  return {
    async loadRow(kind, id) {
      return one.get(kind, id)?.["doc"] as string | undefined;
    },
    /** Each state is its own walk along the index by state and time, so that a few among many are found at once. */
    async rows(kind, query) {
      const limit = query.limit ?? 50;
      const where = conditions(query, held);
      const sql = where.map(([text]) => (text === "?)" ? text : ` AND ${text}`)).join("");
      const way = query.oldest === true ? "ASC" : "DESC";
      const order = `ORDER BY at ${way}, id ${way} LIMIT ?`;
      const states = query.state === undefined ? [undefined] : [...new Set(query.state)];
      if (states.length === 0) return { rows: [], cursor: null };
      const walks = states.map(
        (state) => `SELECT * FROM (SELECT r.at, r.id, r.doc FROM rows r JOIN streams s ON s.id = r.stream
           WHERE r.kind = ?${state === undefined ? "" : " AND r.state = ?"}${sql}
           ORDER BY r.at ${way}, r.id ${way} LIMIT ?)`,
      );
      const values = states.flatMap((state) => [
        kind,
        ...(state === undefined ? [] : [state]),
        ...where.map(([, value]) => value),
        limit + 1,
      ]);
      const found = db
        .prepare(`${walks.join(" UNION ALL ")} ${order}`)
        .all(...values, limit + 1) as unknown as Listed[];
      return { rows: found.slice(0, limit).map((row) => row.doc), cursor: cursorAfter(found, limit) };
    },
  };
}
