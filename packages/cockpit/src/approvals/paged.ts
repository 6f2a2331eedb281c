import { useCallback, useEffect, useRef, useState } from "react";
import { type Problem, problemOf } from "../lib/api.ts";

interface Page<T> {
  readonly rows: readonly T[];
  readonly cursor: string | null;
}

export interface Paged<T> {
  readonly rows: readonly T[] | null;
  readonly more: boolean;
  readonly problem: Problem | null;
  readonly load: () => void;
  /** Looks again at all that is shown. */
  readonly again: () => void;
}

const PAGE = 50;

/**
 * Rows as the server pages them. Looked at again, as many pages are read as are shown, so that nothing that changed
 * or went stays as it was. `of` names what is asked for, and `moved` changes when it may have changed.
 */
export function usePaged<T>(
  of: string,
  moved: unknown,
  fetch: (query: { readonly limit: number; readonly cursor?: string }) => Promise<Page<T>>,
): Paged<T> {
  const [pages, setPages] = useState({ of, count: 1 });
  const [round, setRound] = useState(0);
  const [found, setFound] = useState<(Page<T> & { readonly of: string }) | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const latest = useRef(fetch);
  useEffect(() => {
    latest.current = fetch;
  });
  const count = pages.of === of ? pages.count : 1;
  useEffect(() => {
    let wanted = true;
    void (async () => {
      const rows: T[] = [];
      let cursor: string | null = null;
      for (let page = 0; page < count; page++) {
        const next: Page<T> = await latest.current({ limit: PAGE, ...(cursor === null ? {} : { cursor }) });
        rows.push(...next.rows);
        cursor = next.cursor;
        if (cursor === null) break;
      }
      if (!wanted) return;
      setProblem(null);
      setFound({ of, rows, cursor });
    })().catch((error: unknown) => void (wanted && setProblem(problemOf(error))));
    return () => void (wanted = false);
  }, [of, count, moved, round]);
  return {
    rows: found?.of === of ? found.rows : null,
    more: found?.of === of && found.cursor !== null,
    problem,
    load: useCallback(() => setPages({ of, count: count + 1 }), [of, count]),
    again: useCallback(() => setRound((before) => before + 1), []),
  };
}
