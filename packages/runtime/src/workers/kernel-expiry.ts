import type { Kernel } from "../services/kernel/types.ts";
import { whenDue, type WhenDueDeps } from "./when-due.ts";
import type { Worker } from "./worker.ts";

export interface KernelExpiryDeps extends Pick<WhenDueDeps, "clock" | "timers" | "report"> {
  readonly kernel: Pick<Kernel, "expireDue" | "nextDue" | "onExpiry">;
  /** How often to look for ends that other processes set, and left. */
  readonly lookMs?: number;
}

const LOOK_MS = 60_000;

/** Ends background work that waits longer than it may, when its time comes. */
export function kernelExpiry({ kernel, lookMs = LOOK_MS, ...rest }: KernelExpiryDeps): Worker {
  const { expireDue, nextDue, onExpiry } = kernel;
  return whenDue({ act: expireDue, nextDue, onSet: onExpiry, lookMs, ...rest });
}
