import type { SessionStatus } from "@fairlead/contract";

/** What a person can order of background work. */
export const ORDERS = ["pause", "resume", "accept", "cancel"] as const;
export type Order = (typeof ORDERS)[number];

const GOES: readonly Order[] = ["pause", "cancel"];

/** In which state which of them is offered: total, and never one that the kernel refuses. */
const OFFERED: Readonly<Record<SessionStatus, readonly Order[]>> = {
  idle: [],
  queued: GOES,
  running: GOES,
  awaiting_approval: GOES,
  recovering: ["pause", "resume", "cancel"],
  paused: ["resume", "cancel"],
  needs_review: ["accept", "resume", "cancel"],
  failed: ["resume"],
  completed: [],
  cancelled: [],
};

/** A pause that is not heard yet can be taken back; what works says so by a state that is driven. */
export function ordersOf(status: string, pausing: boolean): readonly Order[] {
  const offered = OFFERED[status as SessionStatus] ?? [];
  if (!pausing) return offered;
  return offered.flatMap((order) => (order === "pause" ? (status === "running" ? ["resume"] : []) : [order]));
}
