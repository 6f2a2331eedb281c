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

export function ordersOf(status: string): readonly Order[] {
  return OFFERED[status as SessionStatus] ?? [];
}
