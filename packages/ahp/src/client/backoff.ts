import type { Deadline } from "./deadline.ts";

const LONGEST_MS = 30_000;

/** Doubles from the first delay; the jitter keeps a crowd of agents from coming back at once. */
export function backoffMs(firstMs: number, attempt: number, random: () => number): number {
  const full = Math.min(firstMs * 2 ** attempt, LONGEST_MS);
  return Math.round(full * (0.75 + random() / 2));
}

export function pause(ms: number, deadline: Deadline): Promise<void> {
  return deadline.race((resolve) => {
    const timer = setTimeout(resolve, ms);
    return () => clearTimeout(timer);
  });
}
