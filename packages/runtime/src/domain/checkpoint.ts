import type { CheckpointRow } from "@fairlead/contract";
import type { Projection } from "../ports/projection.ts";
import { is } from "./event.ts";

/** Each checkpoint of a session, so that a long one is not searched for its few. */
export const checkpointProjection: Projection<CheckpointRow> = {
  kind: "checkpoint",
  types: ["runtime.session.checkpoint"],
  key: (event) => event.id,
  evolve(_row, event) {
    if (!is(event, "runtime.session.checkpoint")) throw new Error(`${event.id} is no checkpoint.`);
    return { ...event.data, event_id: event.id, seq: event.seq, at: event.at };
  },
  // Lists of them are of one session, and show all.
  state: () => "kept",
  // Within one session the seq is the better clock.
  at: (row) => row.seq,
};
