import type { InboxEntry } from "@fairlead/contract/inbox";
import { useEffect, useState } from "react";

/** A row that somebody has open, and the one before it. */
export interface Held {
  readonly entry: InboxEntry;
  readonly after: string | null;
}

/** The list with the open row where it was, also when it is no longer in the inbox. */
export function withHeld(entries: readonly InboxEntry[], held: Held | null): readonly InboxEntry[] {
  if (held === null || entries.some(({ key }) => key === held.entry.key)) return entries;
  const before = entries.findIndex(({ key }) => key === held.after);
  // The one before went too: at the head of its group, where it stood or below.
  const first = entries.findIndex(({ group }) => group === held.entry.group);
  return entries.toSpliced(before >= 0 ? before + 1 : Math.max(0, first), 0, held.entry);
}

/**
 * Keeps the row that is open in its place until it is closed: what somebody else decides takes no form away from under
 * the pointer, and the row can say what was decided.
 */
export function useHeld(
  entries: readonly InboxEntry[],
  open: string | null,
): { readonly entries: readonly InboxEntry[]; readonly gone: boolean } {
  const [held, setHeld] = useState<Held | null>(null);
  const at = open === null ? -1 : entries.findIndex(({ key }) => key === open);
  const entry = entries[at] ?? null;
  const after = entries[at - 1]?.key ?? null;
  useEffect(() => {
    if (open === null) setHeld(null);
    else if (entry !== null) setHeld({ entry, after });
  }, [open, entry, after]);
  const own = held !== null && held.entry.key === open ? held : null;
  return { entries: withHeld(entries, own), gone: own !== null && at < 0 };
}
