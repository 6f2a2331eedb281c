import { isFinal as isFinalRefusal, ServerError } from "@fairlead/client";

const FIRST_MS = 500;
const MOST_MS = 8_000;

/** Whether asking again gives the same answer. What stands before the server may answer for it for a while: that passes. */
export function isFinal(error: unknown): boolean {
  return error instanceof ServerError && isFinalRefusal(error);
}

/** Asks again until there is an answer, one that stays, or nobody who wants it. */
export async function patiently<T>(
  work: () => Promise<T>,
  signal: AbortSignal,
  onWait: () => void,
  pause: (ms: number) => Promise<void> = (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
): Promise<T> {
  for (let wait = FIRST_MS; ; wait = Math.min(wait * 2, MOST_MS)) {
    try {
      return await work();
    } catch (error) {
      if (signal.aborted || isFinal(error)) throw error;
      onWait();
      await pause(wait);
      if (signal.aborted) throw error;
    }
  }
}
