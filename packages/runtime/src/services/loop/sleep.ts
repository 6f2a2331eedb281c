import type { Timers } from "../../ports/timers.ts";

/** Waits, or less when the signal aborts. */
export function sleep(timers: Timers, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted || ms <= 0) return resolve();
    const callOff = timers.after(ms, done);
    function done(): void {
      callOff();
      signal.removeEventListener("abort", done);
      resolve();
    }
    signal.addEventListener("abort", done);
  });
}
