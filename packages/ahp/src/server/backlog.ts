/** Counts unfinished work and says when there is room again. */
export interface Backlog {
  add(work: Promise<unknown>): void;
  /** Undefined when there is room now. */
  room(): Promise<void> | undefined;
}

export function createBacklog(limit: number): Backlog {
  let unfinished = 0;
  let waiting: PromiseWithResolvers<void> | undefined;

  function finish(): void {
    unfinished -= 1;
    waiting?.resolve();
    waiting = undefined;
  }

  return {
    add(work) {
      unfinished += 1;
      void work.then(finish, finish);
    },
    room() {
      if (unfinished < limit) return undefined;
      waiting ??= Promise.withResolvers();
      return waiting.promise;
    },
  };
}
