import { FairleadError, isPlain } from "@fairlead/contract";

/** Where a page of projected rows ended: rows are listed by `at` and id, after `key` where another order was asked for. */
export interface RowCursor {
  readonly at: number;
  readonly id: string;
  readonly key?: string | number;
}

function encodeCursor({ at, id, key }: RowCursor): string {
  return Buffer.from(JSON.stringify(key === undefined ? [at, id] : [at, id, key])).toString("base64url");
}

/** `key`: of which type it must be; undefined for none. Throws `invalid_cursor`. */
export function decodeCursor(text: string, key?: "string" | "number"): RowCursor {
  try {
    const [at, id, by] = JSON.parse(Buffer.from(text, "base64url").toString("utf8")) as unknown[];
    const sound = Number.isSafeInteger(at) && typeof id === "string" && isPlain(id);
    if (sound && by === undefined && key === undefined) return { at: at as number, id };
    if (sound && key !== undefined && typeof by === key && (typeof by !== "string" || isPlain(by)))
      return { at: at as number, id, key: by as string | number };
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
