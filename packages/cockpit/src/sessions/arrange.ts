import { type SessionRow, sessionTree, type SessionTree } from "@fairlead/contract";

export const SORTS = {
  changed: "Last changed",
  created: "Newest",
  title: "Title",
  status: "Status",
} as const;
export type Sort = keyof typeof SORTS;

export interface Wanted {
  readonly search: string;
  readonly status: string;
  readonly kind: string;
  readonly sort: Sort;
}

export interface Arranged {
  readonly row: SessionRow;
  /** How deep below its parent; 0 when that is not in the list. */
  readonly depth: number;
}

const ORDER: Readonly<Record<Sort, (a: SessionRow, b: SessionRow) => number>> = {
  changed: (a, b) => b.updated_at.localeCompare(a.updated_at),
  created: (a, b) => b.created_at.localeCompare(a.created_at),
  title: (a, b) => (a.title ?? "\uffff").localeCompare(b.title ?? "\uffff"),
  status: (a, b) => a.status.localeCompare(b.status) || b.updated_at.localeCompare(a.updated_at),
};

/** What is wanted, in order, branches below what they were branched from. */
export function arranged(
  rows: readonly SessionRow[],
  { search, status, kind, sort }: Wanted,
): readonly Arranged[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const fits = rows.filter(
    (row) =>
      (status === "" || row.status === status) &&
      (kind === "" || row.kind === kind) &&
      words.every((word) => textOf(row).includes(word)),
  );
  const list: Arranged[] = [];
  const add = (trees: readonly SessionTree[], depth: number): void => {
    for (const { row, branches } of trees.toSorted((a, b) => ORDER[sort](a.row, b.row))) {
      list.push({ row, depth });
      add(branches, depth + 1);
    }
  };
  add(sessionTree(fits), 0);
  return list;
}

function textOf({ title, session_id, aliases, kind, created_by, state }: SessionRow): string {
  return [title, session_id, kind, created_by, state?.model, ...(aliases ?? [])].join(" ").toLowerCase();
}
