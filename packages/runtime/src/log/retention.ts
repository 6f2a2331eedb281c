import type { StreamId } from "@fairlead/contract";
import type { StreamRow } from "../ports/log-store.ts";

/** Inclusive. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

type FamilyRow = Pick<StreamRow, "id" | "parent" | "base_seq" | "floor_seq" | "head_seq" | "state">;

/**
 * The events of each stream of a family that somebody can still read: an open stream reads its whole
 * history above its floor, through its ancestors up to each fork. Purged streams read nothing, but
 * what their open branches inherit stays. Pure.
 */
export function kept(family: readonly FamilyRow[]): ReadonlyMap<StreamId, readonly Range[]> {
  const byId = new Map(family.map((row) => [row.id, row]));
  const ranges = new Map<StreamId, Range[]>(family.map((row) => [row.id, []]));
  for (const reader of family) {
    if (reader.state !== "open") continue;
    let upTo = reader.head_seq;
    for (
      let at: FamilyRow | undefined = reader;
      at !== undefined;
      at = at.parent === null ? undefined : byId.get(at.parent)
    ) {
      const from = Math.max(reader.floor_seq, at.base_seq) + 1;
      if (from <= upTo) ranges.get(at.id)?.push({ from, to: upTo });
      upTo = at.base_seq;
    }
  }
  return new Map([...ranges].map(([id, some]) => [id, merge(some)]));
}

/** What may go when a family changes: readable before, by no one after. */
export function dropped(
  before: readonly FamilyRow[],
  after: readonly FamilyRow[],
): readonly (Range & { readonly stream: StreamId })[] {
  const now = kept(after);
  return [...kept(before)].flatMap(([stream, ranges]) =>
    subtract(ranges, now.get(stream) ?? []).map((range) => ({ stream, ...range })),
  );
}

function merge(ranges: readonly Range[]): readonly Range[] {
  const result: Range[] = [];
  for (const range of ranges.toSorted((a, b) => a.from - b.from)) {
    const last = result.at(-1);
    if (last === undefined || range.from > last.to + 1) result.push(range);
    else if (range.to > last.to) result[result.length - 1] = { from: last.from, to: range.to };
  }
  return result;
}

/** Both sides merged and sorted. */
function subtract(ranges: readonly Range[], holes: readonly Range[]): readonly Range[] {
  return holes.reduce<readonly Range[]>(
    (rest, hole) =>
      rest.flatMap((range) =>
        [
          { from: range.from, to: Math.min(range.to, hole.from - 1) },
          { from: Math.max(range.from, hole.to + 1), to: range.to },
        ].filter((piece) => piece.from <= piece.to),
      ),
    ranges,
  );
}
