import type { Inbox, InboxEntry, InboxGroup } from "@fairlead/contract/inbox";
import { useCallback, useState } from "react";
import { call, type Problem } from "../lib/api.ts";
import { useAsked } from "../lib/asked.ts";
import { type Extra, type Groups, wholeOf } from "./whole.ts";

export interface Whole {
  /** The first of each group, and what somebody asked to see more of, each once. */
  readonly entries: readonly InboxEntry[];
  /** Groups of which there is more. */
  readonly hasMore: (group: InboxGroup) => boolean;
  readonly showMore: (group: InboxGroup) => void;
  readonly problem: Problem | null;
}

/** More of a group, page by page, and looked at again whenever the inbox is. */
export function useWhole(inbox: Inbox | null): Whole {
  const [pages, setPages] = useState<Groups<number>>({});
  const asked = Object.entries(pages) as [InboxGroup, number][];
  const { found, problem } = useAsked(
    asked.length === 0 || inbox === null ? null : JSON.stringify(pages),
    inbox,
    async (signal) => {
      const read = asked.map(
        async ([group, count]) =>
          [group, await fetched(group, inbox?.more[group] ?? null, count, signal)] as const,
      );
      return Object.fromEntries(await Promise.all(read)) as Groups<Extra>;
    },
  );
  const extras = found?.value ?? {};
  const showMore = useCallback(
    (group: InboxGroup) => setPages((before) => ({ ...before, [group]: (before[group] ?? 0) + 1 })),
    [],
  );
  return {
    entries: wholeOf(inbox?.entries ?? [], extras),
    hasMore: (group) => (extras[group] ?? { cursor: inbox?.more[group] ?? null }).cursor !== null,
    showMore,
    problem,
  };
}

async function fetched(
  group: InboxGroup,
  from: string | null,
  count: number,
  signal: AbortSignal,
): Promise<Extra> {
  const entries: InboxEntry[] = [];
  let cursor = from;
  for (let page = 0; page < count && cursor !== null; page++) {
    const found = await call("getInbox", { query: { group, cursor }, signal });
    entries.push(...found.entries);
    cursor = found.more[group] ?? null;
  }
  return { entries, cursor };
}
