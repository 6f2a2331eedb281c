import type { ASTNode } from "@marcbachmann/cel-js";
import { chainOf } from "./ast.ts";
import type { Test } from "./direct.ts";
import { ALWAYS, both, direct, negated, NEVER } from "./direct.ts";
import { compilePattern, testPattern } from "./pattern.ts";
import type { ActionView } from "./views.ts";

/** Most actions run no command and name no address, and most rules look at nothing else. Never throws. */
export function isQuiet(action: ActionView): boolean {
  try {
    return action.commands.length === 0 && action.text === "" && action.urls.length === 0;
  } catch {
    // What cannot be read is for each rule to stumble over: those that stop or ask count as met then.
    return false;
  }
}

/**
 * What is left of a condition for an action that is quiet, where `test` is the whole of it. Often it is known then:
 * nothing exists in an empty list. It means the same on such an action, down to the words of an error, which is why one
 * that the engine runs is left to it unless nothing of it is left.
 */
export function quietly(node: ASTNode, test: Test, isDirect: boolean): Test {
  const left = remainder(node);
  const isKnown = left === ALWAYS || left === NEVER;
  return left === undefined || !(isKnown || isDirect) ? test : left;
}

function remainder(node: ASTNode): Test | undefined {
  switch (node.op) {
    case "&&":
    case "||":
      return both(node.op === "||", remainder(node.args[0]), remainder(node.args[1]));
    case "!_":
      return negated(remainder(node.args));
    case "rcall":
      return known(node.args) ?? direct(node);
    default:
      return direct(node);
  }
}

/** A loop over a list that is empty, or a pattern on a text that is. */
function known([name, receiver, args]: (ASTNode & { op: "rcall" })["args"]): Test | undefined {
  const of = chainOf(receiver)?.join(".");
  if (of === "action.commands" || of === "action.urls") {
    if (args.length !== 2 || args[0]?.op !== "id") return undefined;
    return name === "exists" ? NEVER : name === "all" ? ALWAYS : undefined;
  }
  const [pattern] = args;
  if (of !== "action.text" || name !== "matches" || args.length !== 1) return undefined;
  if (pattern?.op !== "value" || typeof pattern.args !== "string") return undefined;
  return testPattern(compilePattern(pattern.args, pattern), "") ? ALWAYS : NEVER;
}
