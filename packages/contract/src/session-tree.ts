import type { SessionRow } from "./rows.ts";

/** A session, and those that branched from it, oldest first. */
export interface SessionTree {
  readonly row: SessionRow;
  readonly branches: readonly SessionTree[];
}

/**
 * Rows as the trees that they are. One whose parent is not among them stands at the top; none is left out, also where
 * what rows say of their parents goes in a circle.
 */
export function sessionTree(rows: readonly SessionRow[]): SessionTree[] {
  const byId = new Map(rows.map((row) => [row.session_id as string, row]));
  const children = new Map<string, SessionRow[]>();
  const tops: SessionRow[] = [];
  for (const row of rows.toSorted(byAge)) {
    const parent = row.parent_session_id ?? undefined;
    if (parent === undefined || !byId.has(parent)) tops.push(row);
    else children.set(parent, [...(children.get(parent) ?? []), row]);
  }
  const seen = new Set<string>();
  const grow = (row: SessionRow): SessionTree => {
    seen.add(row.session_id);
    const branches = (children.get(row.session_id) ?? []).filter(({ session_id }) => !seen.has(session_id));
    return { row, branches: branches.map(grow) };
  };
  const trees = tops.map(grow);
  for (const row of rows) if (!seen.has(row.session_id)) trees.push(grow(row));
  return trees;
}

function byAge(a: SessionRow, b: SessionRow): number {
  if (a.created_at !== b.created_at) return a.created_at < b.created_at ? -1 : 1;
  return a.session_id < b.session_id ? -1 : a.session_id > b.session_id ? 1 : 0;
}
