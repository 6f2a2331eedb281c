import type { AnyEvent } from "@fairlead/contract";
import type { StreamInfo } from "./event-log.ts";

/**
 * A row folded from the events of ONE stream, kept in the same commit as they are. Pure: the same
 * events give the same row, so an append planned against a head that moved can be planned again.
 */
export interface Projection<Row = unknown> {
  readonly kind: string;
  /** Only these events are looked at. */
  readonly types: readonly string[];
  /** The id of the row that this event changes, or null for none. */
  key(event: AnyEvent): string | null;
  /** Of the stream it is told what never changes: where its head is, the event says. */
  evolve(row: Row | undefined, event: AnyEvent, stream: StreamInfo): Row;
  /** What follows from the rest of the row and the last event that changed it: made once a commit. */
  derive?(row: Row, event: AnyEvent): Row;
  /** What lists filter by. */
  state(row: Row): string;
  /** What lists sort by, newest first: milliseconds. */
  at(row: Row): number;
  /** What else lists sort it by, or find it by. Written when it is something else than before. */
  marks?(row: Row): readonly Mark[];
}

/** Kept beside a row, with its id, under a kind of its own: neither sorting nor searching reads documents then. */
export interface Mark {
  readonly kind: string;
  /** The largest first. A whole number. */
  readonly at: number;
  /** Folded, as what is looked for is: one line, without control characters. */
  readonly text?: string;
}
