import { decodeCursor, type RowCursor } from "./cursor.ts";

/** Those that have the mark, by it, or those that have nothing there or are from before it was kept, by time. */
export type Part = "marked" | "unmarked";

/** So a cursor says in which of the two it is. */
const KEY: Readonly<Record<Part, number>> = { marked: 1, unmarked: 0 };

/** The rows of one part after a cursor, at most so many. */
type Walk<Row> = (part: Part, from: RowCursor | undefined, limit: number) => Promise<readonly Row[]>;

/** One list out of two walks: up to `limit` rows, the second begun where the first ends. */
export async function inMarkOrder<Row extends RowCursor>(
  cursor: string | undefined,
  limit: number,
  walk: Walk<Row>,
): Promise<readonly Row[]> {
  const from = cursor === undefined ? undefined : decodeCursor(cursor, "number");
  const within = (part: Part) => (from?.key === KEY[part] ? from : undefined);
  const rows = async (part: Part, most: number): Promise<readonly Row[]> =>
    (await walk(part, within(part), most)).map((row) => ({ ...row, key: KEY[part] }));
  const first = from?.key === KEY.unmarked ? [] : await rows("marked", limit);
  return first.length >= limit ? first : [...first, ...(await rows("unmarked", limit - first.length))];
}
