import type { StreamId } from "@fairlead/contract";

/** PostgreSQL takes notices under 8000 bytes. */
const LONGEST_NOTE = 7_000;

/** What others are told of a commit: who wrote, and to which streams; nothing after the name when they are too many. */
export function noteOf(writer: string, streams: readonly StreamId[]): string {
  const note = `${writer} ${streams.join(",")}`;
  return note.length > LONGEST_NOTE ? writer : note;
}

export interface Notice {
  /** The positions of the commit; 0 when it wrote no event. */
  readonly first: number;
  readonly last: number;
  readonly writer: string;
  /** Null: look at all. */
  readonly streams: readonly StreamId[] | null;
}

/** The server puts the positions before the note. */
export function parseNotice(payload: string): Notice {
  const [first, last, writer = "", streams] = payload.split(" ");
  return {
    first: Number(first) || 0,
    last: Number(last) || 0,
    writer,
    streams: streams ? (streams.split(",") as StreamId[]) : null,
  };
}
