import type { StreamId } from "@fairlead/contract";

/** Which rows and streams a caller may see. */
export interface Scope {
  /** Only this project; undefined means all. */
  readonly project?: string;
  /** Only what this actor made. */
  readonly created_by?: string;
  /** Defaults to `user`. */
  readonly owner?: "user" | "system" | "any";
}

/** Names of fields, from the outside in. Letters, digits and underscores only: they are written into statements. */
export type Field = readonly string[];

/** What a row's document must say. Values are never written into statements. */
export type RowTest =
  /** The text there is one of these. */
  | { readonly field: Field; readonly in: readonly string[] }
  /** The text there is none of these; it may also be missing. */
  | { readonly field: Field; readonly not: readonly string[] }
  /** Each word is a part of the text that this mark has, to the letter. Of a row from before it was kept: of its document. */
  | { readonly words: readonly string[]; readonly mark: string }
  /** Whether what is noted under the name `key` is a smaller number than the one there. What is missing counts as 0. */
  | { readonly noted: Field; readonly key: string; readonly below: Field; readonly is: boolean };

/** A row of another kind with the same id, which must be there. */
export interface Beside {
  readonly kind: string;
  readonly state: readonly string[];
  readonly where?: readonly RowTest[];
}

/** By a mark, the largest first, then by id; a row that has none comes after all that have it, by time. */
export interface MarkOrder {
  readonly mark: string;
}

/** By what rows are sorted first; those that are equal in it go by time. Every row that fits is looked at. */
export interface FieldOrder {
  readonly field: Field;
  /** What a row counts as that does not say. Its type is that of all. */
  readonly otherwise: string | number;
  /** These texts, in this order; the others after them. `otherwise` is a number then. */
  readonly ranks?: readonly string[];
  /** The smallest first. */
  readonly ascending?: boolean;
}

export type RowOrder = FieldOrder | MarkOrder;

export interface RowFilter {
  readonly state?: readonly string[] | undefined;
  readonly stream?: StreamId | undefined;
  readonly ids?: readonly string[];
  readonly scope?: Scope;
  /** Only those of streams that nobody holds at this moment. */
  readonly unheld?: boolean;
  readonly where?: readonly RowTest[];
  readonly beside?: Beside;
}

export interface RowQuery extends RowFilter {
  readonly limit?: number | undefined;
  /** Oldest first, not newest. */
  readonly oldest?: boolean;
  readonly order?: RowOrder;
  /** The `cursor` of the page before, which was asked for in the same order. */
  readonly cursor?: string | undefined;
}

export interface RowPage<T> {
  readonly rows: readonly T[];
  readonly cursor: string | null;
}
