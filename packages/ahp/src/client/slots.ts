import { AhpError } from "../protocol/errors.ts";
import type { Deadline } from "./deadline.ts";

/** Bounds how many requests are in flight, and how many callers may wait for their turn. */
export interface Slots {
  /** Undefined when a slot was free; else wait. Fails as overloaded when the queue is full too. */
  take(deadline: Deadline): Promise<void> | undefined;
  free(): void;
}

export function createSlots(limits: { inFlight: number; queued: number }): Slots {
  const queue = new Set<() => void>();
  let taken = 0;

  return {
    take(deadline) {
      if (taken < limits.inFlight) {
        taken += 1;
        return undefined;
      }
      if (queue.size >= limits.queued) {
        const message = `${taken} requests are in flight and ${queue.size} wait`;
        return Promise.reject(new AhpError("overloaded", message));
      }
      return deadline.race((resolve) => {
        // The slot passes from hand to hand: `taken` stays as it is.
        queue.add(resolve);
        return () => queue.delete(resolve);
      });
    },
    free() {
      const [next] = queue;
      if (next === undefined) {
        taken -= 1;
        return;
      }
      queue.delete(next);
      next();
    },
  };
}
