/**
 * Calls that come while the work is under way share the next one: each gets work that began after it asked, and no
 * two run at once. What rejects, rejects for those who shared it.
 */
export function oneAfterAnother(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  let next: Promise<void> | undefined;

  function begin(): Promise<void> {
    const started = work().finally(() => {
      if (running === started) running = undefined;
    });
    running = started;
    return started;
  }

  return () => {
    if (running === undefined && next === undefined) return begin();
    next ??= (running ?? Promise.resolve())
      .catch(() => {})
      .then(() => {
        next = undefined;
        return begin();
      });
    return next;
  };
}
