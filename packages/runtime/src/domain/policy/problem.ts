/** What can be wrong with a rule file, and what usually helps. */
export const PROBLEMS = {
  not_readable:
    "Name a directory with rule files that this user can read; one without rules says `rules: []`.",
  not_yaml: "Mend the YAML; the position is where reading failed.",
  too_large: "Split the file.",
  bad_format: "docs/policies.md has the format with examples.",
  unknown_key: "Remove the key or mend its name.",
  bad_condition: "Conditions are CEL; docs/policies.md lists what they can use.",
  unknown_name: "Conditions can use event, stats, budget, history and action.",
  unknown_field: "Look the field up in docs/policies.md; a name that may be absent goes into has().",
  bad_type: "Compare values of one type, and end with something that is true or false.",
  bad_pattern: "Patterns are RE2, written as a literal: no look-around, no back-references.",
  nested_loop: "Loop once; join a list with join() and match the text instead of looping inside a loop.",
  bad_decision: "docs/policies.md lists the decisions of each event type and what they need.",
  duplicate_id: "Give each rule an id of its own.",
  conflicting_default: "State a default in one file only.",
  shadowed: "Remove the rule, or narrow the one that always decides before it.",
  never_matches: "Remove the rule; a condition that is always false does nothing.",
  bad_case: "docs/policies.md has the format of test cases.",
} as const;

export type ProblemCode = keyof typeof PROBLEMS;

/** One reason why a file is refused. Line and column count from 1. */
export interface Problem {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly code: ProblemCode;
  readonly message: string;
  readonly hint: string;
}

/** A problem found in a text, before it is known where in the file the text stands. */
export interface Flaw {
  readonly code: ProblemCode;
  readonly message: string;
  readonly offset: number;
  readonly hint?: string;
}
