import type { FrontendName, FrontendPayload } from "@fairlead/contract";
import type { Item, NoteItem } from "./items.ts";
import type { View } from "./model.ts";

export interface Told {
  readonly id: string;
  readonly at: string;
  readonly now: number;
}

export type Handler<P = unknown> = (view: View, payload: P, told: Told) => View;
export type Handlers = { readonly [N in FrontendName]?: Handler<FrontendPayload<N>> };

export function add(view: View, item: Item): View {
  return { ...view, items: [...view.items, item] };
}

export function note(view: View, { id }: Told, text: string, tone: NoteItem["tone"] = "calm"): View {
  return add(view, { kind: "note", key: id, final: true, text, tone });
}

/** The last item of a kind, changed. */
export function change<K extends Item["kind"]>(
  view: View,
  kind: K,
  key: string,
  to: (item: Extract<Item, { kind: K }>) => Item,
): View {
  const at = view.items.findLastIndex((item) => item.kind === kind && item.key === key);
  const found = view.items[at];
  return found === undefined
    ? view
    : { ...view, items: view.items.with(at, to(found as Extract<Item, { kind: K }>)) };
}
