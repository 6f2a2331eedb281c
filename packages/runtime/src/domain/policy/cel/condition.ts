import type { EventType } from "@fairlead/ahp";
import type { ASTNode, ParseResult } from "@marcbachmann/cel-js";
import { EvaluationError, ParseError, TypeError as CelTypeError } from "@marcbachmann/cel-js";
import { suggestion } from "../nearest.ts";
import type { Flaw, ProblemCode } from "../problem.ts";
import type { Test } from "./direct.ts";
import { direct } from "./direct.ts";
import { ENVIRONMENT } from "./environment.ts";
import { VARIABLE_NAMES } from "./fields.ts";
import { quietly } from "./quiet.ts";
import { verify } from "./verify.ts";
import type { ConditionContext } from "./views.ts";

export interface Condition {
  readonly ast: ASTNode;
  /** Throws when the condition cannot be evaluated on this input. */
  readonly test: Test;
  /** The same for an action that is quiet. */
  readonly quiet: Test;
}

export interface Expression {
  /** A JSON value. Throws when the expression cannot be evaluated on this input. */
  value(context: ConditionContext): unknown;
}

const LONGEST = 20_000;

/** Compiles what decides whether a rule applies. Never throws. */
export function compileCondition(text: string, on: readonly EventType[]): Condition | Flaw {
  const compiled = compile(text, on);
  if ("code" in compiled) return compiled;
  const { run, type } = compiled;
  if (type !== "bool" && type !== "dyn") {
    return { code: "bad_type", message: `A condition must be true or false; this is ${type}.`, offset: 0 };
  }
  const own = direct(run.ast);
  const test = own ?? engineTest(run);
  return { ast: run.ast, test, quiet: quietly(run.ast, test, own !== undefined) };
}

function engineTest(run: ParseResult): Test {
  return (context) => {
    const result: unknown = run(context);
    if (typeof result === "boolean") return result;
    throw new EvaluationError(`The condition gave ${describe(result)}, which is neither true nor false.`);
  };
}

/** Compiles an expression that makes a value. Never throws. */
export function compileExpression(text: string, on: readonly EventType[]): Expression | Flaw {
  const compiled = compile(text, on);
  return "code" in compiled ? compiled : { value: (context) => toJson(compiled.run(context)) };
}

/** What went wrong on an input, on one line and within bounds. */
export function evaluationMessage(error: unknown): string {
  const { summary, message } = error as { summary?: string; message?: string };
  return (summary ?? message ?? String(error)).slice(0, 300);
}

function compile(text: string, on: readonly EventType[]): { run: ParseResult; type: string } | Flaw {
  if (text.length > LONGEST) {
    return { code: "bad_condition", message: `At most ${LONGEST} characters are read.`, offset: 0 };
  }
  try {
    const run = ENVIRONMENT.parse(text);
    const flaw = verify(run.ast, on);
    if (flaw !== undefined) return flaw;
    const checked = run.check();
    return checked.valid ? { run, type: checked.type ?? "dyn" } : flawOf(checked.error, text);
  } catch (error) {
    return flawOf(error, text);
  }
}

const CODES: Readonly<Record<string, ProblemCode>> = {
  unknown_variable: "unknown_name",
  no_such_key: "unknown_field",
  no_such_overload: "bad_type",
  no_matching_overload: "bad_type",
  invalid_logical_operand: "bad_type",
  incompatible_ternary_branches: "bad_type",
  bad_pattern: "bad_pattern",
};

function flawOf(error: unknown, text: string): Flaw {
  if (!(error instanceof ParseError || error instanceof CelTypeError || error instanceof EvaluationError)) {
    return { code: "bad_condition", message: evaluationMessage(error), offset: 0 };
  }
  const code = (Object.hasOwn(CODES, error.code) ? CODES[error.code] : undefined) ?? "bad_condition";
  const offset = error.range?.start ?? 0;
  if (code !== "unknown_name") return { code, message: sentence(error.summary), offset };
  const name = text.slice(offset, error.range?.end);
  return { code, message: `There is no ${name}.`, offset, hint: suggestion(name, VARIABLE_NAMES) };
}

function sentence(text: string): string {
  const first = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(first) ? first : `${first}.`;
}

function describe(value: unknown): string {
  return value === null
    ? "null"
    : Array.isArray(value)
      ? "a list"
      : typeof value === "object"
        ? "a map"
        : `a ${typeof value}`;
}

/** Whole numbers of CEL become JSON's; what JSON has no word for is an error. */
function toJson(value: unknown): unknown {
  if (value === null || typeof value === "string" || typeof value === "boolean") return value;
  if (typeof value === "bigint") return Number(value);
  if (typeof value === "number" && Number.isFinite(value)) return value;
  if (Array.isArray(value)) return value.map(toJson);
  if (
    typeof value === "object" &&
    [Object.prototype, null].includes(Object.getPrototypeOf(value) as object | null)
  ) {
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, toJson(item)]));
  }
  throw new EvaluationError(`The expression gave ${describe(value)}, which is no JSON value.`);
}
