import type { BlockingType, GateType } from "@fairlead/ahp";

/** Questions of a run of our own that can be left out by name. */
export type OptionalType = Exclude<BlockingType, GateType>;

/** What runs of our own are asked about. */
export interface Switches {
  /** Without a word: asked where a rule or a supervisor is there for it. */
  readonly on?: { readonly [T in OptionalType]?: boolean | undefined };
  /** Gates that are not judged by rules. A name of its own, so that nobody opens a gate by the way. */
  readonly unsupervised?: readonly GateType[] | undefined;
}

/** What is asked, for the record of each turn. */
export interface Coverage {
  readonly asked: readonly BlockingType[];
  /** Gates that were switched off, and are: a supervisor outside that answers for one keeps it shut. */
  readonly unsupervised: readonly GateType[];
  readonly rule_set_hash: string;
}
