/** Weighs unfinished work and says when there is room again. */
export interface Backlog {
  add(work: Promise<unknown>, weight?: number): void;
  /** Undefined when there is room now. */
  room(): Promise<void> | undefined;
}

export function createBacklog(limit: number): Backlog {
  let unfinished = 0;
  let waiting: PromiseWithResolvers<void> | undefined;

  function finish(weight: number): void {
    unfinished -= weight;
    if (unfinished >= limit) return;
    waiting?.resolve();
    waiting = undefined;
  }

  return {
    add(work, weight = 1) {
      unfinished += weight;
      void work.then(
        () => finish(weight),
        () => finish(weight),
      );
    },
    room() {
      if (unfinished < limit) return undefined;
      waiting ??= Promise.withResolvers();
      return waiting.promise;
    },
  };
}
