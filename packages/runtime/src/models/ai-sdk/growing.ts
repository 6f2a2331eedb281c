/** How far back it is looked: a request has at most so many messages more than the one before. */
const MOST_NEW = 32;

/**
 * What was made of a list that grows at its end, so that only what is new has to be made. Items do not change. It is
 * found by the last item, one for each list: an entry an item would cost the collector of garbage more than it saves.
 */
export interface Growing<Item extends object, Made> {
  /** What was made of the longest beginning of this list that is known. */
  find(items: readonly Item[]): Beginning<Made> | undefined;
  /** In place of what was found for it. */
  keep(items: readonly Item[], made: Made, found: Beginning<Made> | undefined): void;
}

export interface Beginning<Made> {
  /** So many items. */
  readonly count: number;
  readonly made: Made;
}

export function createGrowing<Item extends object, Made>(): Growing<Item, Made> {
  const kept = new WeakMap<Item, { readonly items: readonly Item[]; readonly made: Made }>();
  return {
    find(items) {
      for (let count = items.length; count > 0 && count > items.length - MOST_NEW; count--) {
        const entry = kept.get(items[count - 1] as Item);
        if (entry?.items.length === count && entry.items.every((item, i) => item === items[i]))
          return { count, made: entry.made };
      }
      return undefined;
    },
    keep(items, made, found) {
      if (found !== undefined) kept.delete(items[found.count - 1] as Item);
      const last = items.at(-1);
      if (last !== undefined) kept.set(last, { items: items.slice(), made });
    },
  };
}
