import type { ASTNode } from "@marcbachmann/cel-js";
import { EvaluationError, ParseError } from "@marcbachmann/cel-js";
import { RE2JS } from "re2js";

/** A pattern looks at no more than this; a longer text is an error, so that time stays bounded. */
const LONGEST_TEXT = 262_144;

interface MacroCall {
  readonly args: readonly ASTNode[];
  readonly receiver: ASTNode | null;
}

interface Checker {
  check(node: ASTNode, context: unknown): { readonly kind: string; readonly name: string };
  getType(name: string): unknown;
  createError(code: string, message: string, node: ASTNode): Error;
}

interface Evaluator {
  run(node: ASTNode, context: unknown): unknown;
  createError(code: string, message: string, node: ASTNode): Error;
}

/**
 * `matches` on a linear-time engine. The one built into the CEL engine backtracks and cannot be replaced as a
 * function; as a macro it can, because macros are found by name and number of arguments before functions are.
 */
export function matchesMacro({ args, receiver }: MacroCall): object {
  const [text, pattern] = receiver === null ? args : [receiver, args[0]];
  if (text === undefined || pattern === undefined) throw new ParseError("matches needs a text and a pattern");
  if (pattern.op !== "value" || typeof pattern.args !== "string") {
    throw new ParseError({
      code: "bad_pattern",
      message: "A pattern must be written out as a literal text.",
      node: pattern,
    });
  }
  const engine = compilePattern(pattern.args, pattern);
  return {
    async: false,
    typeCheck(checker: Checker, _macro: unknown, context: unknown) {
      const { kind, name } = checker.check(text, context);
      if (kind !== "dyn" && name !== "string") {
        throw checker.createError("no_matching_overload", `matches needs a text, not ${name}.`, text);
      }
      return checker.getType("bool");
    },
    evaluate(evaluator: Evaluator, _macro: unknown, context: unknown) {
      const value = evaluator.run(text, context);
      if (typeof value !== "string")
        throw evaluator.createError("no_matching_overload", "matches needs a text.", text);
      return testPattern(engine, value);
    },
  };
}

/** Throws when the text is too long. */
export function testPattern(pattern: RE2JS, text: string): boolean {
  if (text.length <= LONGEST_TEXT) return pattern.test(text);
  throw new EvaluationError({
    code: "text_too_long",
    message: `matches reads at most ${LONGEST_TEXT} characters.`,
  });
}

/** Each condition is compiled twice, and every one again when a file of rules changes: the same text is the same engine. */
const compiled = new Map<string, RE2JS>();
/** More than rules have. Those of files that have changed go with the others. */
const MOST_COMPILED = 2_000;

/** Throws ParseError at the node when the pattern cannot be read. */
export function compilePattern(pattern: string, node: ASTNode): RE2JS {
  const known = compiled.get(pattern);
  if (known !== undefined) return known;
  try {
    const engine = RE2JS.compile(pattern);
    if (compiled.size >= MOST_COMPILED) compiled.clear();
    compiled.set(pattern, engine);
    return engine;
  } catch (error) {
    throw new ParseError({
      code: "bad_pattern",
      message: `The pattern cannot be read: ${(error as Error).message}.`,
      node,
    });
  }
}
