import type { ASTNode } from "@marcbachmann/cel-js";

export const LOOPS: ReadonlySet<string> = new Set(["all", "exists", "exists_one", "map", "filter"]);

/** The operands of a node, in order. */
export function childrenOf(node: ASTNode): readonly ASTNode[] {
  switch (node.op) {
    case "value":
    case "id":
      return [];
    case ".":
    case ".?":
      return [node.args[0]];
    case "!_":
    case "-_":
      return [node.args];
    case "call":
      return node.args[1];
    case "rcall":
      return [node.args[1], ...node.args[2]];
    case "map":
      return node.args.flat();
    default:
      return node.args;
  }
}

/** One text for one meaning as written: two conditions with the same key are the same, spaces and brackets aside. */
export function keyOf(node: ASTNode): string {
  if (node.op === "value") return `${typeof node.args}:${JSON.stringify(String(node.args))}`;
  if (node.op === "id") return node.args;
  return `(${node.op} ${nameIn(node)} ${childrenOf(node).map(keyOf).join(" ")})`;
}

/** The name of a field or function that a node carries beside its operands. */
function nameIn(node: ASTNode): string {
  if (node.op === "." || node.op === ".?") return node.args[1];
  return node.op === "call" || node.op === "rcall" ? node.args[0] : "";
}

/** `a.b["c"]` as `["a", "b", "c"]`, from the name it begins with; undefined for anything else. */
export function chainOf(node: ASTNode): readonly string[] | undefined {
  if (node.op === "id") return [node.args];
  if (node.op === ".") {
    const before = chainOf(node.args[0]);
    return before && [...before, node.args[1]];
  }
  if (node.op === "[]" && node.args[1].op === "value" && typeof node.args[1].args === "string") {
    const before = chainOf(node.args[0]);
    return before && [...before, node.args[1].args];
  }
  return undefined;
}
