import type { EventType } from "@fairlead/ahp";
import type { ASTNode } from "@marcbachmann/cel-js";
import { keyOf } from "./cel/ast.ts";
import type { Rule } from "./policy.ts";
import { strictness } from "./strictness.ts";

export interface Shadow {
  readonly rule: Rule;
  /** One that always decides before it. */
  readonly by: Rule;
}

const MOST_STEPS = 10_000;

/** Decisions of which all that matched have their part in the answer, so that an equal one hides nothing. */
const ADDS_UP = new Set(["allow", "modify", "defer", "retry", "refine"]);

/**
 * Rules that can never decide, whatever the event: on each of their event types, whenever they match, another
 * rule matches that is stricter, or as strict and earlier. Found by the form of the conditions, so some are missed,
 * but none is named wrongly.
 */
export function shadowed(rules: readonly Rule[]): Shadow[] {
  const keys = new Map<ASTNode, string>();
  return rules.flatMap((rule, i) => {
    const hiders = rule.on.map((type) => rules.find((other, j) => hides(other, j, rule, i, type, keys)));
    const [by] = hiders;
    return by !== undefined && !hiders.includes(undefined) ? [{ rule, by }] : [];
  });
}

function hides(
  other: Rule,
  at: number,
  rule: Rule,
  ruleAt: number,
  type: EventType,
  keys: Map<ASTNode, string>,
): boolean {
  if (other === rule || !other.on.includes(type)) return false;
  const theirs = strictness(type, other.decide);
  const ours = strictness(type, rule.decide);
  const before = theirs > ours || (theirs === ours && at < ruleAt && !ADDS_UP.has(rule.decide));
  if (!before) return false;
  if (other.condition === undefined) return true;
  return (
    rule.condition !== undefined &&
    implies(rule.condition.ast, other.condition.ast, keys, { left: MOST_STEPS })
  );
}

/** Whether `b` is true, or cannot be evaluated, whenever `a` is. Unsure means no. */
function implies(a: ASTNode, b: ASTNode, keys: Map<ASTNode, string>, steps: { left: number }): boolean {
  if (steps.left-- <= 0) return false;
  const go = (x: ASTNode, y: ASTNode): boolean => implies(x, y, keys, steps);
  if (key(a, keys) === key(b, keys)) return true;
  if (a.op === "||") return go(a.args[0], b) && go(a.args[1], b);
  if (b.op === "&&") return go(a, b.args[0]) && go(a, b.args[1]);
  if (b.op === "||" && (go(a, b.args[0]) || go(a, b.args[1]))) return true;
  return a.op === "&&" && (go(a.args[0], b) || go(a.args[1], b));
}

function key(node: ASTNode, keys: Map<ASTNode, string>): string {
  let found = keys.get(node);
  if (found === undefined) keys.set(node, (found = keyOf(node)));
  return found;
}
