import type { Id, IdKind } from "@fairlead/contract";

/** The only source of ids: prefixed, time-sortable, strictly increasing within one source. */
export interface Ids {
  next<K extends IdKind>(kind: K): Id<K>;
}
