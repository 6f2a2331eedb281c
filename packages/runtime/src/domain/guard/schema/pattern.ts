import { RE2JS } from "re2js";

/** A pattern looks at no more than this; a longer text does not match, so that time stays bounded. */
const LONGEST_TEXT = 262_144;

interface Pattern {
  test(text: string): boolean;
  /** The validator knows patterns by this: two that gave the same text would be taken for one. */
  toString(): string;
}

/**
 * Patterns of schemas on a linear-time engine: they come from other people's servers, and one that backtracks would
 * stop the process. Throws on what that engine cannot read (lookaround, backreferences).
 */
export function linearPattern(pattern: string): Pattern {
  const engine = RE2JS.compile(RE2JS.translateRegExp(pattern));
  return {
    test: (text) => text.length <= LONGEST_TEXT && engine.test(text),
    toString: () => pattern,
  };
}

// Read by the validator's code generator, which needs it only where code is written to a file.
linearPattern.code = "linearPattern";
