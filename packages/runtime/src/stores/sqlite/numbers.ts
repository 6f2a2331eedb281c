import type { StreamId } from "@fairlead/contract";
import type { DatabaseSync } from "node:sqlite";

/** Streams by the number that stands for them in the event table: a short key makes a small index. */
export interface Numbers {
  of(id: StreamId): number | undefined;
  remember(id: StreamId, no: number): number;
  /** What a transaction remembered that was then rolled back must not be believed. */
  forget(): void;
}

const REMEMBERED = 10_000;

export function createNumbers(db: DatabaseSync): Numbers {
  const select = db.prepare("SELECT no FROM streams WHERE id = ?");
  const known = new Map<StreamId, number>();

  function remember(id: StreamId, no: number): number {
    if (known.size >= REMEMBERED) known.clear();
    known.set(id, no);
    return no;
  }

  return {
    of(id) {
      const no = known.get(id) ?? (select.get(id)?.["no"] as number | undefined);
      return no === undefined ? undefined : remember(id, no);
    },
    remember,
    forget: () => known.clear(),
  };
}
