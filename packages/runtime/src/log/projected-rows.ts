import type { StreamId } from "@fairlead/contract";
import type { ProjectedRow } from "../ports/log-store.ts";
import type { Mark, Projection } from "../ports/projection.ts";

/** A row that a commit changes. */
export interface Changed {
  readonly projection: Projection;
  readonly key: string;
  readonly stream: StreamId;
  /** Before all of it; undefined where there was none. */
  readonly before: unknown;
}

/** What is written of it: the row, and the marks that are new or something else. */
export function rowsOf({ projection, key: id, stream, before }: Changed, doc: unknown): ProjectedRow[] {
  const { kind } = projection;
  const row = { kind, id, stream, state: projection.state(doc), at: whole(projection.at(doc)) };
  const known = before === undefined ? undefined : marksOf(projection, before);
  const marks = marksOf(projection, doc).filter((mark) =>
    known === undefined ? !isNothing(mark) : !known.some((one) => same(one, mark)),
  );
  return [
    { ...row, doc: JSON.stringify(doc) },
    ...marks.map((mark) => ({
      id,
      stream,
      state: "",
      kind: mark.kind,
      at: whole(mark.at),
      doc: mark.text ?? "",
    })),
  ];
}

/** A row that is written is the one before at the next commit, so its marks are kept for then. */
const kept = new WeakMap<object, readonly Mark[]>();

function marksOf({ marks }: Projection, doc: unknown): readonly Mark[] {
  if (marks === undefined) return NONE;
  if (typeof doc !== "object" || doc === null) return marks(doc);
  const found = kept.get(doc) ?? marks(doc);
  kept.set(doc, found);
  return found;
}

/**
 * What every store can keep, and read again. A time that does not read, or a sum beyond all measure, is not a reason to be
 * without the row: where rows follow their commit, nobody could refuse the event any more, and all other rows wait for this one.
 */
function whole(at: number): number {
  if (Number.isSafeInteger(at)) return at;
  return Number.isNaN(at) ? 0 : Math.round(Math.min(Math.max(at, -MOST), MOST));
}

const MOST = Number.MAX_SAFE_INTEGER;

const NONE: readonly Mark[] = [];

/** What has no mark comes after all that have one, so a new row need not say that it has nothing. */
function isNothing({ at, text }: Mark): boolean {
  return at === 0 && text === undefined;
}

function same(one: Mark, other: Mark): boolean {
  return one.kind === other.kind && one.at === other.at && one.text === other.text;
}
