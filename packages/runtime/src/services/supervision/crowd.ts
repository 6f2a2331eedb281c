/** Counts what is under way by whose it is; empty counters are forgotten. */
export interface Crowd {
  of(key: string): number;
  /** Counts while the work lasts. */
  during<T>(key: string, work: () => Promise<T>): Promise<T>;
}

export function createCrowd(): Crowd {
  const counts = new Map<string, number>();
  const of = (key: string): number => counts.get(key) ?? 0;
  return {
    of,
    async during(key, work) {
      counts.set(key, of(key) + 1);
      try {
        return await work();
      } finally {
        const left = of(key) - 1;
        if (left > 0) counts.set(key, left);
        else counts.delete(key);
      }
    },
  };
}
