import type { SessionId, TurnStatus } from "@fairlead/contract";
import { isId } from "@fairlead/contract";
import type { Projection } from "../../ports/projection.ts";
import { is } from "../event.ts";

/** What the inbox knows of a session beside its row: how its last turn ended, and who has seen how much. */
export interface Attention {
  readonly session_id: SessionId;
  /** The last turn that is over; null while there was none. */
  readonly ended: {
    readonly status: Exclude<TurnStatus, "parked">;
    readonly reason: string | null;
    readonly seq: number;
    readonly at: string;
  } | null;
  /** The last state that a person should look at: where it was said. */
  readonly stated: { readonly status: string; readonly seq: number; readonly at: string } | null;
  /** Who last had it paused, and why. Rows from before this was kept lack it. */
  readonly paused?: { readonly actor: string; readonly reason: string } | null;
  /** What the open turn was found to owe. */
  readonly owed?: string | null;
  /** Up to which event, by name. */
  readonly seen: Readonly<Record<string, number>>;
}

/** Begins the reason of a turn that ended owing something. */
export const UNPROVEN = "Not proven: ";

function first(session_id: SessionId): Attention {
  return { session_id, ended: null, stated: null, seen: {} };
}

export const attentionProjection: Projection<Attention> = {
  kind: "attention",
  types: [
    "runtime.turn.ended",
    "runtime.session.state",
    "runtime.session.seen",
    "runtime.session.pausing",
    "runtime.execution.contract.failed",
  ],
  key: (event) => (isId("session", event.stream) ? event.stream : null),
  evolve(row, event, stream) {
    const before = row ?? first(stream.id as SessionId);
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
      return { ...before, owed: null, ended: { status, reason: why, seq, at } };
    }
    if (is(event, "runtime.session.pausing")) {
      const { actor, reason } = event.data;
      return { ...before, paused: { actor, reason } };
    }
    if (is(event, "runtime.execution.contract.failed")) {
      return { ...before, owed: `${UNPROVEN}${event.data.reason}` };
    }
    if (is(event, "runtime.session.state")) {
      const { status } = event.data;
      return before.stated?.status === status ? before : { ...before, stated: { status, seq, at } };
    }
    return before;
  },
  state: ({ ended }) => ended?.status ?? "none",
  at: ({ ended, stated }) => Date.parse(ended?.at ?? stated?.at ?? "1970-01-01T00:00:00Z"),
};

/** Up to where this person has looked. Own keys only: a name can be anything. */
export function seenBy(attention: Attention | undefined, name: string): number {
  return attention !== undefined && Object.hasOwn(attention.seen, name) ? attention.seen[name]! : 0;
}
