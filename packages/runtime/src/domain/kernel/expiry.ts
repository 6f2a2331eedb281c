import type { AnyEvent, SessionId, SessionStatus } from "@fairlead/contract";
import type { Projection } from "../../ports/projection.ts";
import { is } from "../event.ts";
import { expiresAt, isBackground } from "./background.ts";

/** When background work ends by itself, so that those whose time is over are found without looking at all. */
export interface Expiry {
  readonly session_id: SessionId;
  readonly engine: string | null;
  readonly status: SessionStatus;
  /** It is said to run, and waits for its sub-agents: nobody drives it, so nobody would see that its time is over. */
  readonly delegated?: boolean;
  /** What somebody chose since holds over what is said by who has not heard of it. */
  readonly chosen?: string | null;
  /** In milliseconds; 0 when it has no end. */
  readonly at: number;
}

/** One that a process drives is looked at when it waits; one that is paused, when somebody wants it to go on. */
const WAITING: ReadonlySet<SessionStatus> = new Set(["queued", "recovering", "awaiting_approval"]);

function evolve(row: Expiry, event: AnyEvent): Expiry {
  if (is(event, "runtime.session.configured")) {
    const { expires_at: chosen } = event.data.changes;
    return chosen === undefined ? row : { ...row, chosen, at: msOf(chosen) };
  }
  if (!is(event, "runtime.session.state")) return row;
  const { status, engine = null, expires_at, resume_context } = event.data;
  const delegated = resume_context?.["kind"] === "delegated";
  return { ...row, status, engine, delegated, at: msOf(row.chosen === undefined ? expires_at : row.chosen) };
}

function msOf(expires_at: string | null | undefined): number {
  const at = expiresAt({ expires_at });
  // A time long past is one too.
  return Number.isFinite(at) ? Math.max(1, at) : 0;
}

export const expiryProjection: Projection<Expiry> = {
  kind: "expiry",
  types: ["runtime.session.state", "runtime.session.configured"],
  key(event) {
    if (is(event, "runtime.session.configured"))
      return event.data.changes.expires_at === undefined ? null : event.stream;
    return is(event, "runtime.session.state") && isBackground(event.data) ? event.stream : null;
  },
  evolve(row, event, stream) {
    const before = row ?? { session_id: stream.id as SessionId, engine: null, status: "idle", at: 0 };
    return evolve(before, event);
  },
  state: ({ status, delegated = false, at }) =>
    at > 0 && (WAITING.has(status) || (status === "running" && delegated)) ? "waits" : "none",
  at: ({ at }) => at,
};
