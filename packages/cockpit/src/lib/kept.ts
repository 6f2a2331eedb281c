import { createContext, useCallback, useContext, useState } from "react";

/** What outlives the rows that show it: they come and go as they are scrolled. Without one, state is a component's own. */
export const Keeping = createContext<Map<string, unknown> | null>(null);

/**
 * Like `useState`, for what a person began: it is there again when its row is. A name is of one thing alone; what has
 * none is not kept.
 */
export function useKept<T>(name: string | null, first: () => T): readonly [T, (next: T) => void] {
  const kept = useContext(Keeping);
  const [value, setValue] = useState<T>(() =>
    name !== null && kept?.has(name) === true ? (kept.get(name) as T) : first(),
  );
  const keep = useCallback(
    (next: T) => {
      if (name !== null) kept?.set(name, next);
      setValue(() => next);
    },
    [kept, name],
  );
  return [value, keep];
}
