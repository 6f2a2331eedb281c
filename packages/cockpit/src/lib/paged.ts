import { useCallback, useState } from "react";
import { type Problem, UNREACHABLE } from "./api.ts";
import { useAsked } from "./asked.ts";

interface Page<T> {
  readonly rows: readonly T[];
  readonly cursor: string | null;
}

type Fetch<T> = (
  query: { readonly limit: number; readonly cursor?: string },
  signal: AbortSignal,
) => Promise<Page<T>>;

export interface Paged<T> {
  /** Null until they are known; while something else is asked for, what was there before. */
  readonly rows: readonly T[] | null;
  readonly more: boolean;
  readonly busy: boolean;
  /** Not that nobody answers: the page says that, and it passes by itself. */
  readonly problem: Problem | null;
  readonly load: () => void;
  /** Looks again at all that is shown. */
  readonly again: () => void;
}

const PAGE = 50;

/**
 * Rows as the server pages them. Looked at again, as many pages are read as are shown, so that nothing that changed
 * or went stays as it was. `of` names what is asked for, null nothing yet; `moved` changes when it may have changed.
 */
export function usePaged<T>(of: string | null, moved: unknown, fetch: Fetch<T>): Paged<T> {
  const [pages, setPages] = useState({ of, count: 1 });
  const count = pages.of === of ? pages.count : 1;
  const asked = useAsked(of === null ? null : `${count} ${of}`, moved, async (signal) => ({
    of,
    ...(await pagesOf(fetch, count, signal)),
  }));
  const found = asked.found?.value ?? null;
  const isIt = found?.of === of;
  return {
    rows: found?.rows ?? null,
    more: isIt && found.cursor !== null,
    busy: asked.busy || !isIt,
    problem: asked.problem?.code === UNREACHABLE ? null : asked.problem,
    load: useCallback(() => setPages({ of, count: count + 1 }), [of, count]),
    again: asked.again,
  };
}

async function pagesOf<T>(fetch: Fetch<T>, count: number, signal: AbortSignal): Promise<Page<T>> {
  const rows: T[] = [];
  let cursor: string | null = null;
  for (let page = 0; page < count; page++) {
    const next: Page<T> = await fetch({ limit: PAGE, ...(cursor === null ? {} : { cursor }) }, signal);
    rows.push(...next.rows);
    cursor = next.cursor;
    if (cursor === null) break;
  }
  return { rows, cursor };
}
