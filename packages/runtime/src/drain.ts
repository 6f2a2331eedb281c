import type { Timers } from "./ports/timers.ts";
import type { Turns } from "./services/types.ts";
import type { Worker } from "./workers/worker.ts";

export interface DrainDeps {
  readonly workers: readonly Worker[];
  readonly turns: Pick<Turns, "drain">;
  readonly timers: Timers;
}

const HANDED_OVER = "The server that drove it stops: another goes on.";

/**
 * Takes up nothing more, and lets go of each turn at the end of its step: its lease is given back, so others go on at
 * once. Resolves when that is done or has taken too long. What is still under way then is for `stop` to cut short.
 */
export async function drain({ workers, turns, timers }: DrainDeps, graceMs: number): Promise<void> {
  const enough = Promise.withResolvers<void>();
  const callOff = timers.after(graceMs, enough.resolve);
  const drained = (async () => {
    for (const worker of workers) await worker.stop();
    await turns.drain(HANDED_OVER);
  })();
  await Promise.race([drained, enough.promise]).finally(callOff);
  // Cut short by `stop`: whoever waits for that hears of it there.
  drained.catch(() => {});
}
