/** Ranges that wait for one before them. More than these are not worth keeping: what is forgotten is only looked for. */
const MOST_AHEAD = 10_000;

/** How far the positions that we were told of are complete, in whatever order we were told. */
export interface Frontier {
  readonly at: number;
  add(first: number, last: number): void;
  /** All up to here is known. */
  moveTo(pos: number): void;
}

export function createFrontier(): Frontier {
  let at = 0;
  const ahead = new Map<number, number>();

  function advance(): void {
    for (let last = ahead.get(at + 1); last !== undefined; last = ahead.get(at + 1)) {
      ahead.delete(at + 1);
      at = last;
    }
  }

  return {
    get at() {
      return at;
    },
    add(first, last) {
      if (last <= at) return;
      if (ahead.size >= MOST_AHEAD) ahead.clear();
      ahead.set(first, last);
      advance();
    },
    moveTo(pos) {
      at = pos;
      for (const [first, last] of ahead) if (last <= at) ahead.delete(first);
      advance();
    },
  };
}
