import { ServerError } from "@fairlead/client";

const FIRST_MS = 500;
const MOST_MS = 8_000;
/** Refusals that pass by themselves: too slow, too many. */
const PASSING: ReadonlySet<number> = new Set([408, 425, 429]);

/** Whether asking again gives the same answer. */
function isFinal(error: unknown): boolean {
  if (!(error instanceof ServerError)) return false;
  return error.status >= 400 && error.status < 500 && !PASSING.has(error.status);
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
