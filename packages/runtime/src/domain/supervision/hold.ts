import type { QuestionId, SessionId } from "@fairlead/contract";
import type { Projection } from "../../ports/projection.ts";
import { hashJson } from "../canonical.ts";
import { is } from "../event.ts";

/** What an agent asked and a person must decide: found again by what was asked, not by who waits. */
export interface Hold {
  readonly hold_id: string;
  readonly session_id: SessionId;
  readonly event_type: string;
  readonly binding: string;
  readonly request_id: QuestionId;
  readonly round: number;
  readonly held_at: string;
  /** The decision was given to the agent for this event of its own, and is used up. */
  readonly used: {
    readonly occurrence: string;
    readonly at: string;
    /** Given a second time, because the first may have been lost. There is no third. */
    readonly again?: true;
  } | null;
}

/** Binds an approval to who asked, what was asked, and what would run: rules may have changed it. */
export function bindingOf(agent_id: string, asked: unknown, effective: unknown): string {
  return hashJson([agent_id, asked, effective]);
}

export function holdId(session: string, event_type: string, binding: string): string {
  return `${session}:${event_type}:${binding}`;
}

/** Claimed by whoever asks the person, so that one question is asked once. */
export function heldKey(id: string, round: number): string {
  return `hold:${id}:${round}`;
}

/** Claimed by whoever hands the decision over: an approval approves one action, not its twin tomorrow. */
export function usedKey(id: string, round: number): string {
  return `hold:${id}:${round}:used`;
}

/** Claimed by whoever hands it over once more, because the first time may have been lost. */
export function againKey(id: string, round: number): string {
  return `hold:${id}:${round}:again`;
}

export const holdProjection: Projection<Hold> = {
  kind: "hold",
  types: ["runtime.supervision.held"],
  key: (event) =>
    is(event, "runtime.supervision.held")
      ? holdId(event.stream, event.data.event_type, event.data.binding)
      : null,
  evolve(row, event, stream) {
    if (!is(event, "runtime.supervision.held")) throw new Error(`${event.type} does not change a hold.`);
    const { state, event_type, binding, request_id, round, occurrence = "", delivered_at } = event.data;
    if (state === "delivered" && row !== undefined) {
      // By an older round: nothing new.
      if (row.round !== round) return row;
      if (row.used !== null) return { ...row, used: { ...row.used, again: true } };
      return { ...row, used: { occurrence, at: delivered_at ?? event.at } };
    }
    return {
      hold_id: holdId(stream.id, event_type, binding),
      session_id: stream.id as SessionId,
      event_type,
      binding,
      request_id,
      round,
      held_at: event.at,
      used: state === "delivered" ? { occurrence, at: delivered_at ?? event.at } : null,
    };
  },
  state: (row) => (row.used === null ? "waiting" : "delivered"),
  at: (row) => Date.parse(row.held_at),
};
