import type { AnyEvent, Effect, EventId, QuestionId, SessionId, StreamId } from "@fairlead/contract";
import { isId } from "@fairlead/contract";
import type { Projection } from "../ports/projection.ts";
import { is } from "./event.ts";
import { type SaidOutcome, outcomeSaid } from "./lost-outcome.ts";

/** A tool that a person runs: from its start until something is known of its end. */
export interface DirectCall {
  readonly session_id: SessionId;
  readonly request_id: string;
  readonly tool_call_id: string;
  readonly tool_name: string;
  readonly effect: Effect;
  readonly agent_id: string | null;
  /** The event that says that it ran, the last where it ran more than once. */
  readonly started: { readonly id: EventId; readonly seq: number } | null;
  /** Whoever runs it has given it up by then: in milliseconds. */
  readonly until: number;
  /** Its process holds the lease of this as long as it lives; undefined where nobody can look. */
  readonly holder?: StreamId;
  /** What a person is asked about it. */
  readonly question: QuestionId | null;
  readonly said: { readonly outcome: SaidOutcome; readonly actor: string } | null;
  readonly state: DirectCallState;
}

/** `running`: or lost. `asked`: a person is to say what happened. `decided`: they did, and it is to be written. */
export type DirectCallState = "running" | "asked" | "decided" | "over";

function evolve(row: DirectCall, event: AnyEvent): DirectCall {
  if (is(event, "runtime.tool.direct.started")) {
    const { tool_id, tool_call_id = row.request_id, effect = "once", until = event.at, holder } = event.data;
    const { holder: _, ...before } = row;
    return {
      ...before,
      ...(holder === undefined ? {} : { holder: holder as StreamId }),
      tool_call_id,
      tool_name: tool_id,
      effect,
      agent_id: event.agent_id ?? null,
      started: { id: event.id, seq: event.seq },
      until: Date.parse(until),
      question: null,
      said: null,
      state: "running",
    };
  }
  if (is(event, "runtime.tool.direct.completed")) return { ...row, state: "over" };
  if (row.state === "over") return row;
  if (is(event, "runtime.question.asked")) return { ...row, question: event.data.request_id, state: "asked" };
  if (is(event, "runtime.question.decided") && event.data.request_id === row.question)
    return {
      ...row,
      said: { outcome: outcomeSaid(event.data), actor: event.data.actor },
      state: "decided",
    };
  return row;
}

export const directProjection: Projection<DirectCall> = {
  kind: "direct",
  types: [
    "runtime.tool.direct.started",
    "runtime.tool.direct.completed",
    "runtime.question.asked",
    "runtime.question.decided",
  ],
  // Their events have the request for a turn, and no turn is named like one.
  key: (event) => (isId("request", event.turn_id) ? event.turn_id : null),
  evolve(row, event, stream) {
    const before = row ?? {
      session_id: stream.id as SessionId,
      request_id: event.turn_id ?? "",
      tool_call_id: event.turn_id ?? "",
      tool_name: "",
      effect: "once",
      agent_id: null,
      started: null,
      until: 0,
      question: null,
      said: null,
      state: "over",
    };
    return evolve(before, event);
  },
  state: ({ state }) => state,
  at: ({ until }) => until,
};
