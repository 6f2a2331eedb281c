import type { SessionRow } from "@fairlead/contract";

/** The sessions that were fetched so far, each once. */
export interface Pages {
  readonly rows: readonly SessionRow[];
  /** Where the next page begins; null: all are here. */
  readonly cursor: string | null;
}

export interface Page {
  readonly rows: readonly SessionRow[];
  readonly cursor: string | null;
}

/** The first page, looked at again: the server lists what changed last first. */
export function withFirst(before: Pages | null, page: Page): Pages {
  if (before === null || page.cursor === null) return page;
  const fresh = ids(page.rows);
  const oldest = page.rows.at(-1)?.updated_at ?? "";
  // One that is newer than the page's end and not on it is there no more.
  const older = before.rows.filter((row) => !fresh.has(row.session_id) && row.updated_at <= oldest);
  // So much moved that something between the two may be unknown: read on from here.
  const apart = !before.rows.some((row) => fresh.has(row.session_id));
  return { rows: [...page.rows, ...older], cursor: apart ? page.cursor : before.cursor };
}

/** One more page at the end. What is known already is as new or newer. */
export function withNext(before: Pages, page: Page): Pages {
  const known = ids(before.rows);
  return {
    rows: [...before.rows, ...page.rows.filter(({ session_id }) => !known.has(session_id))],
    cursor: page.cursor,
  };
}

function ids(rows: readonly SessionRow[]): ReadonlySet<string> {
  return new Set(rows.map(({ session_id }) => session_id));
}
