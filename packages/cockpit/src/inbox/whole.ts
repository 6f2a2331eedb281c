import { INBOX_GROUPS, type InboxEntry, type InboxGroup } from "@fairlead/contract/inbox";

export type Groups<T> = Readonly<Partial<Record<InboxGroup, T>>>;

/** What somebody asked to see more of, and where the next page of it begins. */
export interface Extra {
  readonly entries: readonly InboxEntry[];
  readonly cursor: string | null;
}

/** In the order of the screen, each once: what is more of a group stands at its end, and before the next one. */
export function wholeOf(first: readonly InboxEntry[], extras: Groups<Extra>): readonly InboxEntry[] {
  const known = new Set(first.map(({ key }) => key));
  return INBOX_GROUPS.flatMap((group) => [
    ...first.filter((entry) => entry.group === group),
    ...(extras[group]?.entries ?? []).filter(({ key }) => !known.has(key)),
  ]);
}
