import type { EventType } from "@fairlead/ahp";
import { AHP_EVENTS, EventContext } from "@fairlead/ahp";
import type { ASTNode } from "@marcbachmann/cel-js";
import { z } from "zod";
import { suggestion } from "../nearest.ts";
import type { Flaw } from "../problem.ts";
import { chainOf, childrenOf, LOOPS } from "./ast.ts";
import type { VariableName } from "./fields.ts";
import { fieldsOf, VARIABLES } from "./fields.ts";

/**
 * What the engine's own check lets pass: unknown fields inside has(), fields that no payload of these event
 * types has, names that hide ours, and loops inside loops, whose time an agent's lists would square.
 */
export function verify(node: ASTNode, on: readonly EventType[]): Flaw | undefined {
  return visit(node, on, false);
}

function visit(node: ASTNode, on: readonly EventType[], inLoop: boolean): Flaw | undefined {
  const chain = chainOf(node);
  const unknown = chain === undefined ? undefined : unknownField(chain, on);
  if (unknown !== undefined) return { ...unknown, offset: node.end - lastLength(node) };
  if (node.op === "rcall" && LOOPS.has(node.args[0]) && node.args[2].length > 1) {
    const [, list, args] = node.args;
    if (inLoop) return { code: "nested_loop", message: "A loop inside a loop.", offset: node.start };
    const [variable] = args;
    if (variable?.op === "id" && Object.hasOwn(VARIABLES, variable.args)) {
      return {
        code: "bad_condition",
        message: `The loop's variable hides ${variable.args}.`,
        offset: variable.start,
      };
    }
    return visit(list, on, false) ?? first(args.slice(1), (arg) => visit(arg, on, true));
  }
  return first(childrenOf(node), (child) => visit(child, on, inLoop));
}

function first<T>(items: readonly T[], look: (item: T) => Flaw | undefined): Flaw | undefined {
  for (const item of items) {
    const found = look(item);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The last step of the chain is judged; the steps before it are nodes of their own. */
function unknownField(chain: readonly string[], on: readonly EventType[]): Omit<Flaw, "offset"> | undefined {
  const [root = "", ...steps] = chain;
  if (!Object.hasOwn(VARIABLES, root) || steps.length === 0) return undefined;
  const last = steps.at(-1) as string;
  let type: string = VARIABLES[root as VariableName];
  for (const step of steps.slice(0, -1)) type = fieldsOf(type)?.[step] ?? "dyn";
  const known =
    fieldsOf(type) ??
    (root === "event" && steps.length === 2 ? dynamicFields(steps[0] as string, on) : undefined);
  if (known === undefined || Object.hasOwn(known, last)) return undefined;
  const what = chain.slice(0, -1).join(".");
  return {
    code: "unknown_field",
    message: `${what} has no field ${last}.`,
    hint: suggestion(last, Object.keys(known)),
  };
}

/** Fields of what is dynamic for the engine but has a schema in the protocol; undefined where it is free. */
function dynamicFields(
  field: string,
  on: readonly EventType[],
): Readonly<Record<string, unknown>> | undefined {
  if (field === "context") return EventContext.shape;
  if (field !== "payload") return undefined;
  const shapes = on.map((type) => {
    const schema = AHP_EVENTS[type].payload;
    return schema instanceof z.ZodObject ? schema.shape : undefined;
  });
  return shapes.includes(undefined) ? undefined : Object.assign({}, ...shapes);
}

function lastLength(node: ASTNode): number {
  return node.op === "." ? node.args[1].length : 1;
}
