/** One word with its quoting removed. What only the shell can know stays as it is written: `$x`, `$()`, `*`. */
export interface Word {
  readonly text: string;
  readonly quoted: boolean;
}

/** A command inside a command. `in`: its output goes to the outer one; `out`: the outer one's goes to it. */
export interface Substitution {
  readonly list: List;
  readonly flow: "in" | "out";
}

export interface Simple {
  readonly kind: "simple";
  readonly words: readonly Word[];
  /** Files that input comes from or output goes to. */
  readonly redirects: readonly string[];
  /** Texts given as input: here-documents and here-strings. */
  readonly stdin: readonly string[];
  readonly substitutions: readonly Substitution[];
}

export interface Group {
  readonly kind: "group";
  readonly list: List;
}

export type Element = Simple | Group;
export type Pipeline = readonly Element[];
export type List = readonly Pipeline[];
