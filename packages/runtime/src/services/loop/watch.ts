import type { Journal } from "./journal.ts";

/** The loop made steps, and nothing came of them. */
export class Stalled extends Error {
  override readonly name = "Stalled";
}

/** So many steps in a row may leave everything as it was: some only look whether others were quicker. */
const MOST_STILL = 16;

/**
 * To be called before each step. Throws Stalled where the steps before changed nothing: such a loop need not give way
 * to anything else, and would hold up the whole process for good.
 */
export function watchMoves({ moves }: Pick<Journal, "moves">, step: () => string): () => void {
  let seen = -1;
  let still = 0;
  return () => {
    const now = moves();
    still = now === seen ? still + 1 : 0;
    seen = now;
    if (still > MOST_STILL)
      throw new Stalled(`The step ${step()} was made ${still} times and changed nothing.`);
  };
}
