import { type HealthyRow, sessionTree, type SessionTree } from "@fairlead/contract";

export interface Arranged {
  readonly row: HealthyRow;
  /** How deep below its parent; 0 when that is not in the list. */
  readonly depth: number;
}

/** In the server's order, branches below what they were branched from. */
export function arranged(rows: readonly HealthyRow[]): readonly Arranged[] {
  const place = new Map(rows.map((row, i) => [row.session_id as string, i]));
  const inOrder = (a: SessionTree, b: SessionTree): number =>
    (place.get(a.row.session_id) ?? 0) - (place.get(b.row.session_id) ?? 0);
  const list: Arranged[] = [];
  const add = (trees: readonly SessionTree[], depth: number): void => {
    for (const { row, branches } of trees.toSorted(inOrder)) {
      list.push({ row: row as HealthyRow, depth });
      add(branches, depth + 1);
    }
  };
  add(sessionTree(rows), 0);
  return list;
}
