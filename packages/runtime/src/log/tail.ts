/** Bounds of what a tail remembers; who is further behind reads the store at their own pace. */
const TAIL_ITEMS = 1_024;
const TAIL_BYTES = 1024 * 1024;

/** One item of a feed at its position: a seq, or a place in the commit order. */
export interface Entry<Item> {
  readonly at: number;
  readonly item: Item;
  readonly bytes: number;
}

/**
 * The live end of one feed, shared by all who follow it. Invariants:
 * 1. Entries are consecutive: nothing of the feed lies between two of them, nor between `start` and the first.
 * 2. Memory is bounded, however slow a follower is.
 * 3. A follower that saw `version` and found nothing waits for the next version: no wake-up is lost.
 */
export interface Tail<Item> {
  readonly version: number;
  /** The last position it was given; undefined when it knows none. */
  readonly last: number | undefined;
  /** What lies after the position, or undefined when the tail cannot know. */
  after(position: number): readonly Entry<Item>[] | undefined;
  /** Calls back once, when the version changes; the result takes it back. */
  onChange(wake: () => void): () => void;
  /** New entries in order; `previous` is the position just before the first. */
  push(entries: readonly Entry<Item>[], previous: number): void;
  /** Something happened that the tail was not given: it knows nothing now, and followers look at the store. */
  forget(): void;
}

export function createTail<Item>(): Tail<Item> {
  let entries: Entry<Item>[] = [];
  let start: number | undefined;
  let bytes = 0;
  let version = 0;
  let waiters = new Set<() => void>();

  function bump(): void {
    version += 1;
    const woken = waiters;
    waiters = new Set();
    for (const wake of woken) wake();
  }

  function reset(from: number | undefined): void {
    entries = [];
    bytes = 0;
    start = from;
  }

  /** Drops the oldest entries over the bounds (invariant 2), but never the newest. */
  function shorten(): void {
    let cut = 0;
    while (cut < entries.length - 1 && (entries.length - cut > TAIL_ITEMS || bytes > TAIL_BYTES)) {
      bytes -= (entries[cut] as Entry<Item>).bytes;
      cut += 1;
    }
    if (cut === 0) return;
    start = (entries[cut - 1] as Entry<Item>).at;
    entries = entries.slice(cut);
  }

  return {
    get version() {
      return version;
    },
    get last() {
      return entries.at(-1)?.at ?? start;
    },
    after(position) {
      if (start === undefined || position < start) return undefined;
      let from = entries.length;
      while (from > 0 && (entries[from - 1] as Entry<Item>).at > position) from -= 1;
      return entries.slice(from);
    },
    onChange(wake) {
      const waiting = waiters;
      waiting.add(wake);
      return () => void waiting.delete(wake);
    },
    push(added, previous) {
      if (this.last !== previous) reset(previous);
      for (const entry of added) {
        entries.push(entry);
        bytes += entry.bytes;
      }
      if (entries.length > TAIL_ITEMS || bytes > TAIL_BYTES) shorten();
      bump();
    },
    forget() {
      reset(undefined);
      bump();
    },
  };
}
