import type { ASTNode } from "@marcbachmann/cel-js";
import { EvaluationError } from "@marcbachmann/cel-js";
import { compilePattern, testPattern } from "./pattern.ts";
import type { Scope } from "./read.ts";
import { readOf, stepInto } from "./read.ts";
import type { CommandView, ConditionContext } from "./views.ts";

export type Test = (context: ConditionContext) => boolean;

/** What is known beforehand, whatever the input. */
export const ALWAYS: Test = () => true;
export const NEVER: Test = () => false;

/**
 * Most conditions compare fields with literals, joined by && and ||. Those run here, several times faster than in the
 * engine and with the same meaning, errors included; for all other forms this gives undefined and the engine runs them.
 * A property test holds the two against each other.
 */
export function direct(node: ASTNode, scope: Scope = new Map()): Test | undefined {
  switch (node.op) {
    case "&&":
    case "||":
      return both(node.op === "||", direct(node.args[0], scope), direct(node.args[1], scope));
    case "!_":
      return negated(direct(node.args, scope));
    case "==":
    case "!=":
      return equality(node.op === "==", node.args[0], node.args[1], scope);
    case "<":
    case "<=":
    case ">":
    case ">=":
      return comparison(node.op, node.args[0], node.args[1], scope);
    case "in":
      return membership(node.args[0], node.args[1], scope);
    case "call":
      return node.args[0] === "has" && node.args[1][0]?.op === "."
        ? presence(node.args[1][0], scope)
        : undefined;
    case "rcall":
      return loop(node.args, scope) ?? onCommand(node.args, scope) ?? onText(node.args, scope);
    case ".": {
      const read = readOf(node, scope);
      return read?.type === "bool" ? (context) => read.get(context) === true : undefined;
    }
    default:
      return undefined;
  }
}

/** `absorbing` decides whatever the other side says, even that it cannot say: true for ||, false for &&. */
export function both(absorbing: boolean, left: Test | undefined, right: Test | undefined): Test | undefined {
  const settled = absorbing ? ALWAYS : NEVER;
  const idle = absorbing ? NEVER : ALWAYS;
  if (left === settled || right === settled) return settled;
  if (left === idle) return right;
  if (right === idle) return left;
  if (left === undefined || right === undefined) return undefined;
  return (context) => {
    let first: boolean;
    try {
      first = left(context);
    } catch (error) {
      if (right(context) === absorbing) return absorbing;
      throw error;
    }
    return first === absorbing ? absorbing : right(context);
  };
}

export function negated(test: Test | undefined): Test | undefined {
  if (test === ALWAYS) return NEVER;
  if (test === NEVER) return ALWAYS;
  return test && ((context) => !test(context));
}

function isNumber(value: unknown): value is number | bigint {
  return typeof value === "number" || typeof value === "bigint";
}

function equality(wanted: boolean, a: ASTNode, b: ASTNode, scope: Scope): Test | undefined {
  const read = readOf(a, scope);
  if (read === undefined || b.op !== "value") return undefined;
  const { get } = read;
  const literal = b.args;
  if (isNumber(literal)) {
    const number = Number(literal);
    return (context) => {
      const value = get(context);
      return (isNumber(value) && Number(value) === number) === wanted;
    };
  }
  if (typeof literal !== "string" && typeof literal !== "boolean" && literal !== null) return undefined;
  return (context) => (get(context) === literal) === wanted;
}

const COMPARE: Record<"<" | "<=" | ">" | ">=", (a: number, b: number) => boolean> = {
  "<": (a, b) => a < b,
  "<=": (a, b) => a <= b,
  ">": (a, b) => a > b,
  ">=": (a, b) => a >= b,
};

function comparison(op: keyof typeof COMPARE, a: ASTNode, b: ASTNode, scope: Scope): Test | undefined {
  const read = readOf(a, scope);
  if (read === undefined || b.op !== "value" || !isNumber(b.args)) return undefined;
  const compare = COMPARE[op];
  const number = Number(b.args);
  return (context) => {
    const value = read.get(context);
    if (isNumber(value)) return compare(Number(value), number);
    throw new EvaluationError(`no such overload: ${typeof value} ${op} number`);
  };
}

function membership(a: ASTNode, list: ASTNode, scope: Scope): Test | undefined {
  const read = readOf(a, scope);
  const known = texts(list);
  if (read === undefined || known === undefined) return undefined;
  const set = new Set<unknown>(known);
  return (context) => set.has(read.get(context));
}

/** A list of literal texts; undefined for any other list. */
function texts(list: ASTNode | undefined): readonly string[] | undefined {
  if (list?.op !== "list") return undefined;
  const literals = list.args.map((item) => (item.op === "value" ? item.args : undefined));
  return literals.every((item) => typeof item === "string") ? literals : undefined;
}

/** Only the last step may be missing; one before it is an error, as everywhere else. */
function presence(node: ASTNode & { op: "." }, scope: Scope): Test | undefined {
  const before = readOf(node.args[0], scope);
  const step = before && stepInto(before.type, node.args[1]);
  return before && step && ((context) => step(before.get(context)) !== undefined);
}

type Call = readonly [name: string, receiver: ASTNode, args: readonly ASTNode[]];

/** Over our own lists. What cannot be judged counts only when no other item settles it. */
function loop([name, receiver, args]: Call, scope: Scope): Test | undefined {
  const [variable, body] = args;
  if ((name !== "exists" && name !== "all") || variable?.op !== "id" || body === undefined) return undefined;
  const list = readOf(receiver, scope);
  const of = /^list<(.+)>$/.exec(list?.type ?? "")?.[1];
  if (list === undefined || of === undefined) return undefined;
  const cell = { type: of, value: undefined as unknown };
  const test = direct(body, new Map([...scope, [variable.args, cell]]));
  const settling = name === "exists";
  return (
    test &&
    ((context) => {
      let fault: unknown;
      for (const item of list.get(context) as readonly unknown[]) {
        cell.value = item;
        try {
          if (test(context) === settling) return settling;
        } catch (error) {
          fault ??= error;
        }
      }
      if (fault !== undefined) throw fault;
      return !settling;
    })
  );
}

function onCommand([name, receiver, args]: Call, scope: Scope): Test | undefined {
  const read = readOf(receiver, scope);
  if (read?.type !== "Command") return undefined;
  const command = (context: ConditionContext): CommandView => read.get(context) as CommandView;
  if (name === "flag") {
    const options = args.map((arg) =>
      arg.op === "value" && typeof arg.args === "string" ? arg.args : undefined,
    );
    if (!options.every((option) => option !== undefined)) return undefined;
    return (context) => options.some((option) => command(context).flag(option));
  }
  const names = name === "feeds" ? texts(args[0]) : undefined;
  return names && ((context) => command(context).feeds(names));
}

const ON_TEXT: Readonly<Record<string, (text: string, part: string) => boolean>> = {
  contains: (text, part) => text.includes(part),
  startsWith: (text, part) => text.startsWith(part),
  endsWith: (text, part) => text.endsWith(part),
};

function onText([name, receiver, args]: Call, scope: Scope): Test | undefined {
  const read = readOf(receiver, scope);
  const [part] = args;
  if (read === undefined || args.length !== 1 || part?.op !== "value" || typeof part.args !== "string")
    return undefined;
  const literal = part.args;
  const text = (context: ConditionContext): string => {
    const value = read.get(context);
    if (typeof value === "string") return value;
    throw new EvaluationError(`found no matching overload for '${typeof value}.${name}(string)'`);
  };
  if (name === "matches") {
    const pattern = compilePattern(literal, part);
    return (context) => testPattern(pattern, text(context));
  }
  const test = Object.hasOwn(ON_TEXT, name) ? ON_TEXT[name] : undefined;
  return test && ((context) => test(text(context), literal));
}
