import type { ASTNode } from "@marcbachmann/cel-js";
import { EvaluationError } from "@marcbachmann/cel-js";
import type { VariableName } from "./fields.ts";
import { fieldsOf, VARIABLES } from "./fields.ts";
import type { ConditionContext, HistoryView } from "./views.ts";

/** How to get a value out of an input. Throws when there is none. */
export interface Read {
  readonly get: (context: ConditionContext) => unknown;
  /** As in `STRUCTURES`; `dyn` for what an agent has sent. */
  readonly type: string;
}

/** The variables of the loops around. Evaluation is synchronous, so one cell for each is enough. */
export type Scope = ReadonlyMap<string, { readonly type: string; value: unknown }>;

const HISTORY = { event: "events", tool: "tools", decision: "decisions" } as const;

/** Fields, counts of the history, and the length or text of our own lists; undefined for any other expression. */
export function readOf(node: ASTNode, scope: Scope): Read | undefined {
  switch (node.op) {
    case "id":
      return variable(node.args, scope);
    case ".":
      return field(readOf(node.args[0], scope), node.args[1]);
    case "[]":
      return node.args[1].op === "value" && typeof node.args[1].args === "string"
        ? field(readOf(node.args[0], scope), node.args[1].args)
        : undefined;
    case "rcall":
      return called(readOf(node.args[1], scope), node.args[0], node.args[2]);
    default:
      return undefined;
  }
}

function variable(name: string, scope: Scope): Read | undefined {
  const cell = scope.get(name);
  if (cell !== undefined) return { get: () => cell.value, type: cell.type };
  if (!Object.hasOwn(VARIABLES, name)) return undefined;
  const known = name as VariableName;
  return { get: (context) => context[known], type: VARIABLES[known] };
}

function field(from: Read | undefined, name: string): Read | undefined {
  const step = from && stepInto(from.type, name);
  if (from === undefined || step === undefined) return undefined;
  const { get } = from;
  return {
    type: fieldsOf(from.type)?.[name] ?? "dyn",
    get(context) {
      const value = step(get(context));
      if (value === undefined) throw new EvaluationError(`No such key: ${name}`);
      return value;
    },
  };
}

/** One step into a structure of ours or into JSON; undefined where there is nothing. */
export function stepInto(type: string, name: string): ((from: unknown) => unknown) | undefined {
  const fields = fieldsOf(type);
  if (fields !== undefined) {
    return Object.hasOwn(fields, name) ? (from) => (from as Record<string, unknown>)[name] : undefined;
  }
  if (type !== "dyn") return undefined;
  return (from) =>
    typeof from === "object" && from !== null && !Array.isArray(from) && Object.hasOwn(from, name)
      ? (from as Record<string, unknown>)[name]
      : undefined;
}

function called(from: Read | undefined, name: string, args: readonly ASTNode[]): Read | undefined {
  if (from === undefined) return undefined;
  const { get, type } = from;
  const [first] = args;
  const text =
    args.length === 1 && first?.op === "value" && typeof first.args === "string" ? first.args : undefined;
  if (type === "History" && text !== undefined && Object.hasOwn(HISTORY, name)) {
    const of = HISTORY[name as keyof typeof HISTORY];
    return { get: (context) => (get(context) as HistoryView).count(of, text), type: "int" };
  }
  if (type.startsWith("list<") && name === "size" && args.length === 0) {
    return { get: (context) => (get(context) as readonly unknown[]).length, type: "int" };
  }
  if (type === "list<string>" && name === "join" && text !== undefined) {
    return { get: (context) => (get(context) as readonly string[]).join(text), type: "string" };
  }
  return undefined;
}
