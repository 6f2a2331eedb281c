import type { Item } from "./items.ts";

const TURNS = 2;

/** How many of the first items are left out when a session is opened: people read the end of it. */
export function leftOut(items: readonly Item[]): { readonly items: number; readonly turns: number } {
  const starts = items.flatMap((item, i) => (item.kind === "said" && item.how === "turn" ? [i] : []));
  const from = starts.at(-TURNS);
  if (from === undefined || starts.length <= TURNS) return { items: 0, turns: 0 };
  return { items: from, turns: starts.length - TURNS };
}
