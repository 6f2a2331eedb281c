import type { DatabaseSync } from "node:sqlite";

/**
 * The last position given. Only this process gives them, so it is kept in mind, and found again from the events; it is
 * written down where events go, because a position is never given twice.
 */
export interface Positions {
  last(): number;
  /** After the commit that gave them. */
  given(last: number): void;
  /** Within a transaction that takes events away. */
  save(): void;
}

export function createPositions(db: DatabaseSync): Positions {
  const write = db.prepare("UPDATE positions SET last = ?");
  const found = db.prepare(
    "SELECT max(last, coalesce((SELECT max(pos) FROM events), 0)) AS last FROM positions",
  );
  let last = found.get()?.["last"] as number;
  return {
    last: () => last,
    given: (to) => void (last = to),
    save: () => void write.run(last),
  };
}
