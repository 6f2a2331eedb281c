import type { ConnectionState } from "@fairlead/client";
import type { Output } from "./output.ts";

/** Tells a person why nothing comes. */
export function connectionNotes(out: Output): (state: ConnectionState) => void {
  return (state) => {
    if (state.state !== "waiting") return;
    const why = state.error instanceof Error ? state.error.message : "The connection was lost.";
    out.note(`${why} Trying again in ${(state.ms / 1000).toFixed(1)} s.`);
  };
}
