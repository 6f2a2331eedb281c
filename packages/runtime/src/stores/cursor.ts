import { FairleadError, isPlain } from "@fairlead/contract";

/** Where a page of projected rows ended: rows are listed by `at` and id. */
export interface RowCursor {
  readonly at: number;
  readonly id: string;
}

function encodeCursor({ at, id }: RowCursor): string {
  return Buffer.from(JSON.stringify([at, id])).toString("base64url");
}

/** Throws `invalid_cursor`. */
export function decodeCursor(text: string): RowCursor {
  try {
    const [at, id] = JSON.parse(Buffer.from(text, "base64url").toString("utf8")) as [unknown, unknown];
    if (Number.isSafeInteger(at) && typeof id === "string" && isPlain(id)) return { at: at as number, id };
  } catch {
    // Not ours: reported below.
  }
  throw new FairleadError("invalid_cursor");
}

/** The cursor after the first `limit` of the rows found, or null when they were all. */
export function cursorAfter(found: readonly RowCursor[], limit: number): string | null {
  const last = found[limit - 1];
  return last === undefined || found.length <= limit ? null : encodeCursor(last);
}
