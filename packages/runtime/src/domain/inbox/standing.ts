import type { SessionStatus } from "@fairlead/contract";
import type { InboxGroup } from "@fairlead/contract/inbox";
import { HEALTH_ORIGIN } from "../health/enforced.ts";
import type { Attention } from "./attention.ts";

/**
 * Where a session stands for everybody, as lists find it: a group, as long as nobody has seen it; or `asks`, as its
 * questions have entries of their own; `asks_below`, as a sub-agent of it does; `below`, as it is a sub-agent's.
 */
export type Standing = InboxGroup | "asks" | "asks_below" | "below";

/** Where a session belongs that asks nobody anything. Total: a new status does not compile until someone decides. */
export const GROUPS: Record<SessionStatus, InboxGroup | "rest"> = {
  idle: "rest",
  queued: "working",
  running: "working",
  // Its question has an entry of its own; without one it waits for time.
  awaiting_approval: "working",
  paused: "idle",
  recovering: "working",
  completed: "rest",
  needs_review: "needs_review",
  failed: "needs_review",
  cancelled: "idle",
};

export function standingOf(attention: Attention): Standing {
  const { asks = [], asks_below = [], stated, ended, below } = attention;
  if (below === true) return "below";
  if (asks.length > 0) return "asks";
  const group = statedGroup(attention);
  if (group === "working" && asks_below.length > 0) return "asks_below";
  if (group !== "rest") return group;
  if (attention.turn != null || stated === null || ended === null) return "idle";
  return ended.status === "failed" ? "needs_review" : ended.status === "completed" ? "done" : "idle";
}

function statedGroup({ stated, paused }: Attention): InboxGroup | "rest" {
  if (stated === null) return "rest";
  // Its policy stopped it, and nothing moves before somebody lets it.
  if (stated.status === "paused" && paused?.actor === HEALTH_ORIGIN) return "needs_input";
  return GROUPS[stated.status as SessionStatus] ?? "rest";
}

const WAITS: ReadonlySet<Standing> = new Set(["asks", "asks_below", "needs_input"]);

/** The event that somebody has to have seen: how it ended, or what was said of it last. What waits, no look ends. */
export function newsOf(attention: Attention): number {
  const standing = standingOf(attention);
  if (WAITS.has(standing)) return Number.MAX_SAFE_INTEGER;
  const { turn, ended, stated } = attention;
  // That it needs review may be said after the turn has ended: who saw only the end has not seen that.
  if (standing === "needs_review") return Math.max(ended?.seq ?? 0, stated?.seq ?? 0);
  return (turn == null ? ended?.seq : undefined) ?? stated?.seq ?? 0;
}

/** Since when it stands there. */
export function sinceOf(attention: Attention): string | undefined {
  const { turn, ended, stated } = attention;
  const rested = turn == null ? ended?.at : undefined;
  return (standingOf(attention) === "working" ? stated?.at : rested) ?? stated?.at;
}
