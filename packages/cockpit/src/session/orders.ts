import type { SessionStatus } from "@fairlead/contract";

/** What a person can order of background work. */
export const ORDERS = ["pause", "accept", "resume", "cancel"] as const;
export type Order = (typeof ORDERS)[number];

/** What the server goes by beside the state. */
export interface Ordered {
  /** A pause is ordered, and nobody has heard it yet: a resume takes it back. */
  readonly pausing: boolean;
  /** It waits for a time, or what it delegated does: a resume tries it now. */
  readonly waits: boolean;
}

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

/** In the order in which they are shown. */
export function ordersOf(status: string, { pausing, waits }: Ordered): readonly Order[] {
  const offered = OFFERED[status as SessionStatus] ?? [];
  // What can be paused goes on, and so can be told not to pause.
  const goes = offered.includes("pause");
  const wanted = (order: Order): boolean =>
    order === "pause"
      ? goes && !pausing
      : offered.includes(order) || (order === "resume" && goes && (pausing || waits));
  return ORDERS.filter(wanted);
}
