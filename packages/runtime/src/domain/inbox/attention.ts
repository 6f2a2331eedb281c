import type { AnyEvent, SessionId, TurnStatus } from "@fairlead/contract";
import { isId, lineOf } from "@fairlead/contract";
import type { StreamInfo } from "../../ports/event-log.ts";
import type { Projection } from "../../ports/projection.ts";
import { is } from "../event.ts";
import { askedBelow } from "../session.ts";
import { newsOf, sinceOf, standingOf } from "./standing.ts";
import { type WaitsBelow, waitsAfter } from "./waiting.ts";

/** What the inbox knows of a session beside its row: how its last turn ended, and who has seen how much. */
export interface Attention {
  readonly session_id: SessionId;
  /** The last turn that is over; null while there was none. */
  readonly ended: {
    readonly status: Exclude<TurnStatus, "parked">;
    readonly reason: string | null;
    readonly seq: number;
    readonly at: string;
    /** How what it said in the end begins. */
    readonly said?: string;
  } | null;
  /** The last state that a person should look at: where it was said. */
  readonly stated: { readonly status: string; readonly seq: number; readonly at: string } | null;
  /** Who last had it paused, and why. Rows from before this was kept lack it. */
  readonly paused?: { readonly actor: string; readonly reason: string } | null;
  /** What the open turn was found to owe. */
  readonly owed?: string | null;
  /** The open turn. */
  readonly turn?: string | null;
  /** Open questions, of its own and of its sub-agents. */
  readonly asks?: readonly string[];
  readonly asks_below?: readonly string[];
  /** Sub-agents of the open turn that wait for a time, and that nobody told to go on since. */
  readonly waits_below?: readonly WaitsBelow[];
  /** It is a sub-agent's. */
  readonly below?: boolean;
  /** The event that somebody has to have seen. */
  readonly news?: number;
  /** Up to which event, by name. */
  readonly seen: Readonly<Record<string, number>>;
}

/** Begins the reason of a turn that ended owing something. */
export const UNPROVEN = "Not proven: ";

function first({ id, kind }: StreamInfo): Attention {
  const below: Pick<Attention, "below"> = kind === "subagent" ? { below: true } : {};
  return { session_id: id as SessionId, ended: null, stated: null, seen: {}, ...below };
}

export const attentionProjection: Projection<Attention> = {
  kind: "attention",
  types: [
    "runtime.turn.ended",
    "runtime.session.state",
    "runtime.session.seen",
    "runtime.session.pausing",
    "runtime.session.resuming",
    "runtime.execution.contract.failed",
    "runtime.request.started",
    "runtime.request.completed",
    "runtime.question.asked",
    "runtime.question.decided",
    "runtime.subagent.event",
  ],
  key: (event) => (isId("session", event.stream) ? event.stream : null),
  evolve(row, event, stream) {
    const after = evolved(row ?? first(stream), event);
    return { ...after, news: newsOf(after) };
  },
  state: standingOf,
  at: (row) => Date.parse(sinceOf(row) ?? "1970-01-01T00:00:00Z"),
};

function evolved(before: Attention, event: AnyEvent): Attention {
  const { seq, at } = event;
  if (is(event, "runtime.session.seen")) {
    const { actor, upto_seq } = event.data;
    const known = Object.hasOwn(before.seen, actor) ? before.seen[actor]! : 0;
    return { ...before, seen: { ...before.seen, [actor]: Math.max(known, upto_seq) } };
  }
  if (is(event, "runtime.turn.ended")) {
    const { status, reason = null } = event.data;
    if (status === "parked") return before;
    const why = reason === "needs_review" ? (before.owed ?? reason) : reason;
    return { ...before, owed: null, turn: null, ended: { status, reason: why, seq, at } };
  }
  if (is(event, "runtime.session.pausing")) {
    const { actor, reason } = event.data;
    // Who wants what is so already is not who paused it.
    return before.stated?.status === "paused" ? before : { ...before, paused: { actor, reason } };
  }
  if (is(event, "runtime.execution.contract.failed")) {
    return { ...before, owed: `${UNPROVEN}${event.data.reason}` };
  }
  if (is(event, "runtime.session.state")) {
    const { status } = event.data;
    return before.stated?.status === status ? before : { ...before, stated: { status, seq, at } };
  }
  if (is(event, "runtime.session.resuming")) return { ...before, waits_below: [] };
  if (is(event, "runtime.request.started")) return { ...before, turn: event.data.turn_id, waits_below: [] };
  if (is(event, "runtime.request.completed")) return withSaid(before, event.data.output);
  if (is(event, "runtime.question.asked"))
    return { ...before, asks: [...(before.asks ?? []), event.data.request_id] };
  if (is(event, "runtime.question.decided"))
    return { ...before, asks: (before.asks ?? []).filter((id) => id !== event.data.request_id) };
  if (is(event, "runtime.subagent.event"))
    return {
      ...before,
      asks_below: askedBelow(before.asks_below ?? [], event.data),
      waits_below: waitsAfter(before.waits_below ?? [], event.data),
    };
  return before;
}

const SAID = 200;

/** It is in the commit that ends the turn, after that. */
function withSaid(before: Attention, output: unknown): Attention {
  const said = typeof output === "string" ? lineOf(output, SAID) : "";
  return before.ended === null || said === "" ? before : { ...before, ended: { ...before.ended, said } };
}

/** Up to where this person has looked. Own keys only: a name can be anything. */
export function seenBy(attention: Attention | undefined, name: string): number {
  return attention !== undefined && Object.hasOwn(attention.seen, name) ? attention.seen[name]! : 0;
}
