import type { Inbox, InboxEntry, InboxGroup } from "@fairlead/contract/inbox";
import { useCallback, useEffect, useState } from "react";
import { call, type Problem, problemOf } from "../lib/api.ts";

type Groups<T> = Readonly<Partial<Record<InboxGroup, T>>>;

export interface Whole {
  /** The first of each group, and what somebody asked to see more of, each once. */
  readonly entries: readonly InboxEntry[];
  /** Groups of which there is more. */
  readonly hasMore: (group: InboxGroup) => boolean;
  readonly showMore: (group: InboxGroup) => void;
  readonly problem: Problem | null;
}

interface Extra {
  readonly entries: readonly InboxEntry[];
  readonly cursor: string | null;
}

/** More of a group, page by page, and looked at again whenever the inbox is. */
export function useWhole(inbox: Inbox | null): Whole {
  const [pages, setPages] = useState<Groups<number>>({});
  const [extras, setExtras] = useState<Groups<Extra>>({});
  const [problem, setProblem] = useState<Problem | null>(null);
  useEffect(() => {
    let wanted = true;
    for (const [group, count] of Object.entries(pages) as [InboxGroup, number][])
      fetched(group, inbox?.more[group] ?? null, count).then(
        (extra) => {
          if (!wanted) return;
          setProblem(null);
          setExtras((before) => ({ ...before, [group]: extra }));
        },
        (error: unknown) => wanted && setProblem(problemOf(error)),
      );
    return () => void (wanted = false);
  }, [inbox, pages]);
  const showMore = useCallback(
    (group: InboxGroup) => setPages((before) => ({ ...before, [group]: (before[group] ?? 0) + 1 })),
    [],
  );
  const first = inbox?.entries ?? [];
  const known = new Set(first.map(({ key }) => key));
  const further = Object.values(extras).flatMap(({ entries }) =>
    entries.filter(({ key }) => !known.has(key)),
  );
  return {
    entries: [...first, ...further],
    hasMore: (group) => (extras[group] ?? { cursor: inbox?.more[group] ?? null }).cursor !== null,
    showMore,
    problem,
  };
}

async function fetched(group: InboxGroup, from: string | null, count: number): Promise<Extra> {
  const entries: InboxEntry[] = [];
  let cursor = from;
  for (let page = 0; page < count && cursor !== null; page++) {
    const found = await call("getInbox", { query: { group, cursor } });
    entries.push(...found.entries);
    cursor = found.more[group] ?? null;
  }
  return { entries, cursor };
}
