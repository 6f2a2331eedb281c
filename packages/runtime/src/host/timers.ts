import type { Timers } from "../ports/timers.ts";

/** Node fires at once when asked for more than this. */
const LONGEST = 2 ** 31 - 1;

export const systemTimers: Timers = {
  after(ms, callback) {
    const timer = setTimeout(callback, Math.min(ms, LONGEST));
    timer.unref();
    return () => clearTimeout(timer);
  },
};
