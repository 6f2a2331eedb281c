import type { Entry, Tail } from "./tail.ts";

export interface FollowOptions<Item> {
  /** Called when the first item is asked for; left when the follower ends, however it does. */
  readonly join: () => { readonly tail: Tail<Item>; leave(): void };
  readonly after: number;
  /** A page of what the store has after the position, in order; empty at the end. */
  readonly readStore: (after: number) => Promise<readonly Entry<Item>[]>;
  /** Any of them ends it. Not joined by `AbortSignal.any`: the log's own signal outlives all followers. */
  readonly signals: readonly AbortSignal[];
}

/**
 * A cursor that pulls: replay from the store, then live from the tail, without gap or duplicate,
 * because both are asked for what lies after the same cursor. Nothing is queued for a slow follower.
 */
export async function* follow<Item>({
  join,
  after,
  readStore,
  signals,
}: FollowOptions<Item>): AsyncGenerator<readonly Item[]> {
  let cursor = after;
  let wake: () => void = () => {};
  const onAbort = () => wake();
  const aborted = () => signals.some((signal) => signal.aborted);
  for (const signal of signals) signal.addEventListener("abort", onAbort, { once: true });
  // Joined before the store is read: what is committed from here on is in the tail, or wakes us.
  const { tail, leave } = join();
  try {
    while (!aborted()) {
      const seen = tail.version;
      const found = tail.after(cursor) ?? (await readStore(cursor));
      const last = found.at(-1);
      if (last !== undefined) {
        cursor = last.at;
        yield found.map((entry) => entry.item);
      } else if (tail.version === seen && !aborted()) {
        await new Promise<void>((resolve) => {
          const forget = tail.onChange(resolve);
          wake = () => {
            forget();
            resolve();
          };
        });
      }
    }
  } finally {
    leave();
    for (const signal of signals) signal.removeEventListener("abort", onAbort);
  }
}
