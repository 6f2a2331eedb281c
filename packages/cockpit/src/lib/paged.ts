import { useCallback, useEffect, useRef, useState } from "react";
import { type Problem, problemOf, UNREACHABLE } from "./api.ts";

interface Page<T> {
  readonly rows: readonly T[];
  readonly cursor: string | null;
}

export interface Paged<T> {
  /** Null until they are known; while something else is asked for, what was there before. */
  readonly rows: readonly T[] | null;
  readonly more: boolean;
  readonly busy: boolean;
  readonly problem: Problem | null;
  readonly load: () => void;
  /** Looks again at all that is shown. */
  readonly again: () => void;
}

const PAGE = 50;
/** While much happens, a list is looked at so often at most. */
const PAUSE_MS = 1_000;
/** While nobody answers, it is asked so often. */
const AWAY_MS = 2_000;

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
  const [busy, setBusy] = useState(true);
  const latest = useRef(fetch);
  const last = useRef({ key: "", at: 0 });
  useEffect(() => {
    latest.current = fetch;
  });
  const count = pages.of === of ? pages.count : 1;
  useEffect(() => {
    let wanted = true;
    let retry: ReturnType<typeof setTimeout> | undefined;
    const key = `${of} ${count} ${round}`;
    // A new question is asked at once; the same again, not more often than a person could read.
    const wait = last.current.key === key ? Math.max(0, last.current.at + PAUSE_MS - Date.now()) : 0;
    const timer = setTimeout(() => {
      last.current = { key, at: Date.now() };
      setBusy(true);
      pagesOf(latest.current, count)
        .then(
          (read) => {
            if (!wanted) return;
            setProblem(null);
            setFound({ of, ...read });
          },
          (error: unknown) => {
            if (!wanted) return;
            const found = problemOf(error);
            setProblem(found.code === UNREACHABLE ? null : found);
            // The page says that the server is away; it is asked again by itself.
            if (found.code === UNREACHABLE)
              retry = setTimeout(() => setRound((before) => before + 1), AWAY_MS);
          },
        )
        .finally(() => wanted && setBusy(false));
    }, wait);
    return () => {
      wanted = false;
      clearTimeout(timer);
      clearTimeout(retry);
    };
  }, [of, count, moved, round]);
  const isIt = found?.of === of;
  return {
    rows: found?.rows ?? null,
    more: isIt && found.cursor !== null,
    busy: busy || !isIt,
    problem,
    load: useCallback(() => setPages({ of, count: count + 1 }), [of, count]),
    again: useCallback(() => setRound((before) => before + 1), []),
  };
}

async function pagesOf<T>(
  fetch: (query: { readonly limit: number; readonly cursor?: string }) => Promise<Page<T>>,
  count: number,
): Promise<Page<T>> {
  const rows: T[] = [];
  let cursor: string | null = null;
  for (let page = 0; page < count; page++) {
    const next: Page<T> = await fetch({ limit: PAGE, ...(cursor === null ? {} : { cursor }) });
    rows.push(...next.rows);
    cursor = next.cursor;
    if (cursor === null) break;
  }
  return { rows, cursor };
}
