import type { EventLog, RowPage, RowQuery } from "../ports/event-log.ts";

const PAGE = 200;
/** Pages looked through for rows that fit before a short page is given. */
const MOST_PAGES = 10;

/** A page of what `fit` makes of the rows; those it makes nothing of are left out, and the page is filled up with others. */
export async function fittingRows<T, R>(
  log: EventLog,
  kind: string,
  query: RowQuery,
  fit: (row: T) => R | undefined | Promise<R | undefined>,
): Promise<RowPage<R>> {
  const { limit } = query;
  const rows: R[] = [];
  let cursor = query.cursor;
  for (let page = 0; page < MOST_PAGES; page++) {
    const wanted = limit === undefined ? undefined : limit - rows.length;
    const found = await log.rows<T>(kind, { ...query, limit: wanted, cursor });
    for (const row of found.rows) {
      const fitting = await fit(row);
      if (fitting !== undefined) rows.push(fitting);
    }
    cursor = found.cursor ?? undefined;
    if (cursor === undefined || rows.length >= (limit ?? 1)) break;
  }
  return { rows, cursor: cursor ?? null };
}

/** All rows there are, of every owner. */
export async function* everyRow<T>(
  log: EventLog,
  kind: string,
  query: Pick<RowQuery, "state" | "oldest" | "unheld" | "stream" | "where"> = {},
): AsyncGenerator<T> {
  for (let cursor: string | undefined; ;) {
    const page = await log.rows<T>(kind, { ...query, scope: { owner: "any" }, limit: PAGE, cursor });
    yield* page.rows;
    if (page.cursor === null) return;
    cursor = page.cursor;
  }
}
