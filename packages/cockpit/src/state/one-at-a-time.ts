/**
 * Work that never runs twice at once, so that a late answer cannot undo a newer one. Whatever is asked for meanwhile
 * is done once more after it: what it found may be older than what was asked. `work` must not throw.
 */
export function oneAtATime(work: () => Promise<void>): () => Promise<void> {
  let busy = false;
  let again = false;
  return async () => {
    if (busy) {
      again = true;
      return;
    }
    busy = true;
    do {
      again = false;
      await work();
    } while (again);
    busy = false;
  };
}
