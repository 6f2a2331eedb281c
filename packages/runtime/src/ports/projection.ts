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
  evolve(row: Row | undefined, event: AnyEvent, stream: StreamInfo): Row;
  /** What lists filter by. */
  state(row: Row): string;
  /** What lists sort by, newest first: milliseconds. */
  at(row: Row): number;
}
