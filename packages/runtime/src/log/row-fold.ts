import type { AnyEvent } from "@fairlead/contract";
import type { StreamInfo } from "../ports/event-log.ts";
import type { ProjectedRow } from "../ports/log-store.ts";
import type { Projection } from "../ports/projection.ts";
import { rowsOf } from "./projected-rows.ts";

/** An event that changes a row. */
export interface Projecting {
  readonly projection: Projection;
  readonly key: string;
  readonly event: AnyEvent;
  readonly stream: StreamInfo;
}

export function docKey(kind: string, id: string): string {
  return `${kind}:${id}`;
}

/** One row and the events that change it. What follows from it all is made once, however many they are. */
export interface RowFold {
  take(change: Projecting): void;
  /** The row with all that was taken. */
  doc(): unknown;
  /** What is to be written of it. */
  rows(): ProjectedRow[];
}

/** `before`: the row as it is written. */
export function createRowFold({ projection, key, stream }: Projecting, before: unknown): RowFold {
  let doc = before;
  let last: AnyEvent | undefined;

  function whole(): unknown {
    if (last !== undefined && projection.derive !== undefined) doc = projection.derive(doc, last);
    last = undefined;
    return doc;
  }

  return {
    take({ event }) {
      doc = projection.evolve(doc, event, stream);
      last = event;
    },
    doc: whole,
    rows: () => rowsOf({ projection, key, stream: stream.id, before }, whole()),
  };
}
