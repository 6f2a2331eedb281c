import { FairleadError } from "@fairlead/contract";
import { setTimeout as sleep } from "node:timers/promises";
import { isPassing, storeError } from "./faults.ts";

const FIRST_PAUSE_MS = 20;
const LONGEST_PAUSE_MS = 1_000;

export interface RetryOptions {
  /** For messages. */
  readonly store: string;
  readonly limitMs: number;
  /** Ends the waiting, not the attempt under way. */
  readonly closed: AbortSignal;
}

/** Tries until it is known, for as long as the limit allows. Only for what may safely be asked twice. */
export async function retrying<T>(
  attempt: (leftMs: number) => Promise<T>,
  { store, limitMs, closed }: RetryOptions,
): Promise<T> {
  const deadline = performance.now() + limitMs;
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
    if (closed.aborted) throw new FairleadError("shutting_down");
    try {
      return await attempt(deadline - performance.now());
    } catch (error) {
      // Spread out, so that many processes do not come back in the same instant.
      const rest = pause * (0.5 + Math.random() / 2);
      if (!isPassing(error) || performance.now() + rest >= deadline || closed.aborted)
        throw storeError(error, store);
      await sleep(rest, undefined, { signal: closed }).catch(() => {});
    }
  }
}
