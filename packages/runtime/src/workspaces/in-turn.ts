/** Work on one thing, one piece after another. */
export function createInTurn(): <T>(key: string, work: () => Promise<T>) => Promise<T> {
  const last = new Map<string, Promise<unknown>>();
  return (key, work) => {
    const done = (last.get(key) ?? Promise.resolve()).then(work);
    const quiet = done.catch(() => {});
    last.set(key, quiet);
    void quiet.then(() => {
      if (last.get(key) === quiet) last.delete(key);
    });
    return done;
  };
}
