/** Numbers that look random and are the same for the same seed. */
export interface Chance {
  /** In [0, 1). */
  next(): number;
  /** A whole number below `most`. */
  below(most: number): number;
  pick<T>(items: readonly T[]): T | undefined;
}

export function createChance(seed: number): Chance {
  let state = seed >>> 0;
  function next(): number {
    state = (state + 0x9e3779b9) >>> 0;
    let mixed = state;
    mixed = Math.imul(mixed ^ (mixed >>> 16), 0x21f0aaad);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32;
  }
  const below = (most: number) => Math.floor(next() * most);
  return { next, below, pick: (items) => items[below(items.length)] };
}
